"""MultimodalQA, official release (Talmor et al., ICLR 2021; MIT): over texts, tables and images.

Files: ``MMQA_{split}.jsonl.gz``, ``MMQA_texts.jsonl.gz``, ``MMQA_tables.jsonl.gz``, ``MMQA_images.jsonl.gz`` and the
folder ``final_dataset_images/``. One row of a split:

    {"qid": "5454…", "question": "who owns the rights to little shop of horrors?",
     "answers": [{"answer": "…", "type": "string", "modality": "text", …}],
     "metadata": {"type": "Compose(TableQ,ImageListQ)", "modalities": ["image", "table"], …},
     "supporting_context": [{"doc_id": "46ae…", "doc_part": "table"}]}

The answer of a row is the list of all its answers: they go to the tag ``answer_list``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines
from backtrail.evals.formats.mmqa_contexts import gold_of, split_of, write_contexts

SINGLE_MODAL = frozenset({"TextQ", "TableQ", "ImageQ", "ImageListQ"})


def write_multimodalqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the contexts, and the questions of a split (train, dev, test; test has no answers).

    ``dev.pages`` writes only contexts of pages with gold of its questions.

    Raises:
        FormatError: a file is missing, or a line lacks a field.
    """
    split, own_pages = split_of(split)
    questions = found(source, f"MMQA_{split}.jsonl", f"MultiModalQA_{split}.jsonl")
    asked = [_question(line, questions, number) for number, line in read_json_lines(questions)]
    write_contexts(
        source,
        writer,
        texts=("MMQA_texts.jsonl", "texts.jsonl"),
        tables=("MMQA_tables.jsonl", "tables.jsonl"),
        images=("MMQA_images.jsonl", "images.jsonl"),
        beside=gold_of(asked) if own_pages else None,
    )
    for question in asked:
        writer.question(question)


def _question(line: dict[str, Any], file: Path, number: int) -> dict[str, Any]:
    answers = [str(answer["answer"]) for answer in line.get("answers", [])]
    support = [str(context["doc_id"]) for context in line.get("supporting_context", [])]
    kind = str(line.get("metadata", {}).get("type", ""))
    return {
        "id": str(field(line, "qid", file, number)),
        "question": str(field(line, "question", file, number)),
        "image": None,
        "answers": [", ".join(answers)] if answers else [],
        "gold": [[component] for component in dict.fromkeys(support)],
        "hops": len(dict.fromkeys(support)),
        "tags": {
            "answer_list": answers,
            "type": kind,
            "modalities": "single" if kind in SINGLE_MODAL else "multi",
            "sources": len(dict.fromkeys(support)),
        },
    }
