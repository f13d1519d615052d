"""M3SciQA (Li et al., EMNLP Findings 2024): a figure of one paper leads to a cited one.

Files ``data/combined_{val,test}.jsonl``, ``data/locality/`` with the figures, ``paper_full_content.json``. One row:

    {"question": "Consider the paper that introduces the method that … How does …?", "answer": "…",
     "figure": "locality/2310.08395/result_table.png", "anchor_arxiv_id": "2310.08395",
     "reference_arxiv_id": "2309.14362", "modal": "table", "anchor_reasoning_type": "Data Extraction",
     "reference_reasoning_type": "Implications and Inferences", "question_anchor": "…", "answer_anchor": "DSM", …}

The corpus is the papers, a document each, without appendices as in the official evaluation. Gold is any passage of the
paper with the answer. The figure is part of the question. Answers of the test split are not public.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json, read_json_lines

_SPLITS = {"dev": "val", "val": "val", "test": "test"}


def write_m3sciqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write papers and questions of a split (val, test).

    Raises:
        FormatError: there is no such split, a file is missing, or a row lacks a field.
    """
    if split not in _SPLITS:
        raise FormatError(source, None, f"has no split {split!r}; there are val, test")
    passages = _write_papers(found(source, "paper_full_content.json", "data/paper_full_content.json"), writer)
    file = found(source, f"data/combined_{_SPLITS[split]}.jsonl", f"combined_{_SPLITS[split]}.jsonl")
    for number, row in read_json_lines(file):
        paper = str(field(row, "reference_arxiv_id", file, number))
        answer = str(row.get("answer") or "")
        gold = passages.get(paper, [])
        writer.question(
            {
                "id": f"{_SPLITS[split]}/{number:04d}",
                "question": str(field(row, "question", file, number)),
                "image": writer.question_picture(_figure(file.parent, str(field(row, "figure", file, number)))),
                "answers": [answer] if answer else [],
                "gold": [gold] if gold else [],
                "hops": 2,
                "tags": {
                    "documents": [paper],
                    "modality": str(row.get("modal", "")),
                    "figure": str(row.get("anchor_reasoning_type", "")),
                    "paper": str(row.get("reference_reasoning_type", "")),
                    **({} if gold else {"gold_lost": 1}),
                },
            }
        )


def _write_papers(file: Path, writer: BundleWriter) -> dict[str, list[str]]:
    """Write the papers; return the ids of their passages by arXiv id."""
    passages: dict[str, list[str]] = {}
    for paper, content in read_json(file).items():
        title = str(content.get("title") or paper)
        writer.document(paper, title, f"https://arxiv.org/abs/{paper}")
        for place, (section, text) in enumerate(_passages(content)):
            id_ = f"{paper}#{place}"
            writer.text(id_, paper, text, position=place, section=section)
            passages.setdefault(paper, []).append(id_)
    return passages


def _passages(paper: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield abstract and paragraphs with their section, up to the first appendix."""
    if str(paper.get("abstract") or "").strip():
        yield "Abstract", str(paper["abstract"])
    for section in paper.get("full_text") or []:
        name = str(section.get("section_name") or "")
        if name.startswith("Appendix"):
            return
        paragraphs = section.get("paragraphs") or []
        for paragraph in [paragraphs] if isinstance(paragraphs, str) else paragraphs:
            if str(paragraph).strip():
                yield name, str(paragraph)


def _figure(folder: Path, name: str) -> Path | None:
    """Return a figure of the release; None for a path that leaves it."""
    file = (folder / name).resolve()
    return file if file.is_relative_to(folder.resolve()) else None
