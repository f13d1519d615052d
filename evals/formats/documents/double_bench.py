"""Double-Bench (Shen et al., 2025): four kinds of documents in six languages, single- and multi-hop.

Files ``single_bench.json`` and ``multi_bench.json`` (also below ``Double_Bench/``), and the documents at their
``doc_path``: a folder with a picture of each page, ``docs/English/0786/3.jpg``, or a PDF of that name. One row:

    {"uid": "0962", "question": "…", "answer": "…", "reference_page": [3, 4, 12], "source_type": "table",
     "language": "en", "doc_path": "docs/English/0786", "query_type": "…", "doc_type": "HTML Pages"}

Multi-hop rows have ``steps``, each with its own pages. Pages count from 0: a picture is named after its number; in a
PDF it is one less than the page number.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json

_FILES = {"single": "single_bench.json", "multi": "multi_bench.json"}
_PICTURES = (".jpg", ".jpeg", ".png", ".webp")


def write_double_bench(source: Path, writer: BundleWriter, split: str) -> None:
    """Write documents and questions: ``single``, ``multi``, else both.

    Raises:
        FormatError: a file is missing, or a row lacks a field.
    """
    for hops in (split,) if split in _FILES else _FILES:
        file = found(source, _FILES[hops], f"Double_Bench/{_FILES[hops]}")
        for number, row in enumerate(read_json(file), start=1):
            path = str(field(row, "doc_path", file, number)).strip("/")
            pages = _write_document(source, writer, path)
            evidence = [pages(int(page)) for page in dict.fromkeys(field(row, "reference_page", file, number))]
            writer.question(_question(row, number, file, hops, evidence))


def _question(
    row: dict[str, Any], number: int, file: Path, hops: str, evidence: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "id": f"{hops}/{field(row, 'uid', file, number)}",
        "question": str(field(row, "question", file, number)),
        "answers": [str(field(row, "answer", file, number))],
        "evidence": evidence,
        "hops": len(row.get("steps") or [1]),
        "tags": {
            "hops": "several" if hops == "multi" else "one",
            "language": str(row.get("language", "")),
            "document": str(row.get("doc_type", "")),
            "source": row.get("source_type") or row.get("modality") or "",
            "type": str(row.get("query_type", "")),
        },
    }


def _write_document(source: Path, writer: BundleWriter, path: str) -> Any:
    """Write a document; return a function from its pages to evidence."""
    pdf = source / f"{path}.pdf"
    if pdf.is_file():
        writer.file(f"{path}.pdf", pdf)
        return lambda page: {"document": f"{path}.pdf", "page": page + 1}
    pictures = {file.stem: file for file in sorted((source / path).glob("*")) if file.suffix.lower() in _PICTURES}
    if not pictures:
        raise FormatError(source / path, None, "holds no pictures of pages, and there is no PDF of that name")
    for file in pictures.values():
        writer.file(f"{path}/{file.name}", file)

    def shown(page: int) -> dict[str, Any]:
        name = f"{path}/{pictures[str(page)].name if str(page) in pictures else f'{page}.jpg'}"
        return {"document": name, "picture": name}

    return shown
