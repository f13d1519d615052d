"""MMLongBench-Doc (Ma et al., NeurIPS 2024; CC BY-NC 4.0): questions about long PDFs with their pages.

Files ``data/samples.json`` and ``data/documents/``, or the same without ``data/``. One row:

    {"doc_id": "Independents-Report.pdf", "doc_type": "Research report / Introduction", "question": "…",
     "answer": "18.29%", "evidence_pages": "[3, 5]", "evidence_sources": "['Pure-text (Plain-text)']",
     "answer_format": "Float"}

The PDFs are ingested like any others; gold is everything on the pages of evidence, counted from 1. As in the official
evaluation, each question searches its own document only; with the split ``all`` it searches all of them.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json
from backtrail.evals.scorers.mmlongbench import NONE

OPEN = "all"
"""Split in which each question searches all documents."""
_WHOLE = ("dev", "val", "test", "train", OPEN)


def write_mmlongbench(source: Path, writer: BundleWriter, split: str) -> None:
    """Write documents and questions; a split named after a document selects its questions.

    Raises:
        FormatError: a file is missing, a row lacks a field, or no question is about that document.
    """
    file = found(source, "data/samples.json", "samples.json")
    rows = [(number, row) for number, row in enumerate(read_json(file), start=1)
            if split in _WHOLE or field(row, "doc_id", file, number) == split]  # fmt: skip
    if not rows:
        raise FormatError(file, None, f"has no question about {split!r}")
    for number, row in rows:
        document = str(field(row, "doc_id", file, number))
        writer.file(document, file.parent / "documents" / document)
        writer.question(_question(row, number, document, file, within=split != OPEN))


def _question(row: dict[str, Any], number: int, document: str, file: Path, *, within: bool) -> dict[str, Any]:
    answer = str(field(row, "answer", file, number))
    named = list(dict.fromkeys(_written(field(row, "evidence_pages", file, number), file, number)))
    # Some rows of the release name a page 0, which no document has.
    pages = [page for page in named if isinstance(page, int) and page >= 1]
    answerable = answer != NONE
    return {
        "id": f"{number:04d}",
        "question": str(field(row, "question", file, number)),
        "answers": [answer] if answerable else [],
        "evidence": [{"document": document, "page": page} for page in pages] if answerable else [],
        "documents": [document] if within else [],
        "hops": len(pages) if answerable else 0,
        "tags": {
            "official": answer,
            "format": str(field(row, "answer_format", file, number)),
            "pages": "unanswerable" if not answerable else "one" if len(pages) == 1 else "several",
            "sources": _written(row.get("evidence_sources", "[]"), file, number),
            "type": str(row.get("doc_type", "")),
            **({"gold_lost": len(named) - len(pages)} if len(named) > len(pages) else {}),
        },
    }


def _written(value: Any, file: Path, number: int) -> list[Any]:
    """Return a list, or the list that a text spells out."""
    try:
        read = ast.literal_eval(value) if isinstance(value, str) else value
    except (ValueError, SyntaxError):
        read = None
    if not isinstance(read, list):
        raise FormatError(file, number, f"holds {value!r} instead of a list")
    return read
