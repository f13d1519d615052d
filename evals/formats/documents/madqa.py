"""MADQA (Borchmann et al., 2026; CC BY-NC 4.0): questions over 800 heterogeneous PDFs.

Files ``{split}.jsonl`` (the rows of the data set, as ``datasets`` writes them with ``to_json``) and ``pdfs/``. One row:

    {"id": "…", "question": "…", "answer_variants": [["$1.2M"], ["1.2 million dollars"]],
     "evidence": [{"document": "report.pdf", "page": 5}], "document_category": "Financial", "domain": "…"}

The documents are public files of DocumentCloud, which the authors' script downloads. The test split may lack answers
and evidence. Pages count from 1.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines


def write_madqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write documents and questions of a split (train, dev, test).

    Raises:
        FormatError: a file is missing, or a row lacks a field.
    """
    split = "dev" if split == "val" else split
    file = found(source, f"{split}.jsonl", f"data/{split}.jsonl")
    for document in sorted((source / "pdfs").glob("*.pdf")):
        writer.file(document.name, document)
    for number, row in read_json_lines(file):
        evidence = [one for one in row.get("evidence") or [] if one.get("document")]
        for one in evidence:
            writer.file(str(one["document"]), source / "pdfs" / str(one["document"]))
        variants = [_texts(variant) for variant in row.get("answer_variants") or []]
        pages = list(
            dict.fromkeys(
                (str(one["document"]), int(one["page"])) for one in evidence if int(one.get("page") or 0) >= 1
            )
        )
        writer.question(
            {
                "id": str(field(row, "id", file, number)),
                "question": str(field(row, "question", file, number)),
                "answers": list(dict.fromkeys(", ".join(variant) for variant in variants)),
                "evidence": [{"document": document, "page": page} for document, page in pages],
                "hops": len(pages),
                "tags": {
                    "wordings": variants,
                    "kind": _kind(pages),
                    "category": str(row.get("document_category") or ""),
                    "domain": str(row.get("domain") or ""),
                },
            }
        )


def _texts(variant: Any) -> list[str]:
    return [variant] if isinstance(variant, str) else [str(one) for one in variant]


def _kind(pages: list[tuple[str, int]]) -> str:
    """Return the group of a question in the official evaluation."""
    if len({document for document, _ in pages}) > 1:
        return "cross document"
    return "cross page" if len(pages) > 1 else "single"
