"""MuSiQue (Trivedi et al., TACL 2022; CC BY 4.0): questions composed of two to four single hops.

Files ``musique_ans_v1.0_SPLIT.jsonl`` (or ``musique_full_…``, with unanswerable ones). One row:

    {"id": "2hop__482757_12019", "question": "When was the institute that owned The Collegian founded?",
     "answer": "1960", "answer_aliases": [], "answerable": true,
     "paragraphs": [{"idx": 0, "title": "…", "paragraph_text": "…", "is_supporting": true}, …],
     "question_decomposition": [{"id": 482757, "question": "The Collegian >> owned by", "answer": "…",
                                 "paragraph_support_idx": 5}, …]}

The corpus is the paragraphs of all questions, each once. The id begins with the number of hops.
"""

from __future__ import annotations

import re
from pathlib import Path

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.hotpotqa import paragraph
from backtrail.evals.formats.lines import field, found, read_json_lines
from backtrail.evals.formats.pictures import texts

_HOPS = re.compile(r"(\d)hop")


def write_musique(source: Path, writer: BundleWriter, split: str) -> None:
    """Write paragraphs and questions of a split (dev, train; test has no answers).

    Raises:
        FormatError: the file is missing, or a line lacks a field.
    """
    split = "dev" if split == "val" else split
    names = [f"{folder}musique_{kind}_v1.0_{split}.jsonl" for folder in ("", "data/") for kind in ("ans", "full")]
    file = found(source, *names)
    for number, line in read_json_lines(file):
        id_ = str(field(line, "id", file, number))
        gold: list[str] = []
        for entry in field(line, "paragraphs", file, number):
            placed = paragraph(writer, str(entry.get("title", "")), str(field(entry, "paragraph_text", file, number)))
            gold += [placed] if entry.get("is_supporting") else []
        hops = _HOPS.match(id_)
        answerable = bool(line.get("answerable", True))
        writer.question(
            {
                "id": id_ if answerable else f"{id_}/unanswerable",
                "question": str(field(line, "question", file, number)),
                "image": None,
                "answers": texts([line.get("answer"), *(line.get("answer_aliases") or [])]) if answerable else [],
                "gold": [[component] for component in dict.fromkeys(gold)] if answerable else [],
                "hops": len(dict.fromkeys(gold)) if answerable else 0,
                "tags": {"type": f"{hops[1]} hops" if hops else "", "answerable": answerable},
            }
        )
