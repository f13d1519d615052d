"""ViDoSeek (Wang et al., 2025; Apache-2.0): questions with one answer in slides and reports.

Files ``vidoseek.json`` or ``rag_dataset.json``, and ``pdf/``. One row of ``examples``:

    {"uid": "04d8…_2", "query": "…", "reference_answer": "195-205 Centigrade",
     "meta_info": {"file_name": "Pretreatment_of_Switchgrass.pdf", "reference_page": [10, 11], "source_type": "Text",
                   "query_type": "Multi-Hop"}}

The included release of SlideVQA has the same layout (``slidevqa_refined.json``). Pages count from 1.
"""

from __future__ import annotations

from pathlib import Path

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json

_FILES = ("vidoseek.json", "rag_dataset.json", "slidevqa_refined.json")


def write_vidoseek(source: Path, writer: BundleWriter, split: str) -> None:
    """Write documents and questions; there is one split.

    Raises:
        FormatError: a file is missing, or a row lacks a field.
    """
    file = found(source, *_FILES)
    # All PDFs are searched, including those without questions.
    for document in sorted((source / "pdf").glob("*.pdf")):
        writer.file(document.name, document)
    for number, row in enumerate(field(read_json(file), "examples", file, None), start=1):
        about = field(row, "meta_info", file, number)
        document = str(field(about, "file_name", file, number))
        named = field(about, "reference_page", file, number)
        pages = [page for page in dict.fromkeys(map(int, named)) if page >= 1]
        writer.file(document, source / "pdf" / document)
        writer.question(
            {
                "id": str(field(row, "uid", file, number)),
                "question": str(field(row, "query", file, number)),
                "answers": [str(field(row, "reference_answer", file, number))],
                "evidence": [{"document": document, "page": page} for page in pages],
                "hops": len(pages),
                "tags": {"source": str(about.get("source_type", "")), "type": str(about.get("query_type", ""))},
            }
        )
