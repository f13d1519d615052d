"""MultimodalQA, official release (Talmor et al., ICLR 2021; MIT): over texts, tables and images.

Files: ``MMQA_{split}.jsonl.gz``, ``MMQA_texts.jsonl.gz``, ``MMQA_tables.jsonl.gz``, ``MMQA_images.jsonl.gz`` and the
folder ``final_dataset_images/``. One row of a split:

    {"qid": "5454…", "question": "who owns the rights to little shop of horrors?",
     "answers": [{"answer": "…", "type": "string", "modality": "text", …}],
     "metadata": {"type": "Compose(TableQ,ImageListQ)", "modalities": ["image", "table"], "table_id": "46ae…",
                  "text_doc_ids": ["…"], "image_doc_ids": ["d57e…", …], …},
     "supporting_context": [{"doc_id": "46ae…", "doc_part": "table"}]}

The answer of a row is the list of all its answers: they go to the tag ``answer_list``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.hash_order import GIVEN
from backtrail.evals.formats.lines import field, found, read_json_lines
from backtrail.evals.formats.mmqa_contexts import gold_of, split_of, write_contexts

SINGLE_MODAL = frozenset({"TextQ", "TableQ", "ImageQ", "ImageListQ"})


def write_multimodalqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the contexts, and the questions of a split (train, dev, test; test has no answers).

    ``dev.pages`` writes only contexts of pages with gold of its questions. ``dev.given`` writes the contexts of its
    questions alone, and each question searches its own: the distractor setting (section 2 of the paper).

    Raises:
        FormatError: a file is missing, or a line lacks a field.
    """
    given = split.endswith(GIVEN)
    split, own_pages = split_of(split.removesuffix(GIVEN))
    questions = found(source, f"MMQA_{split}.jsonl", f"MultiModalQA_{split}.jsonl")
    lines = list(read_json_lines(questions))
    asked = [_question(line, questions, number) for number, line in lines]
    contexts = [_contexts(line) if given else [] for _, line in lines]
    write_contexts(
        source,
        writer,
        texts=("MMQA_texts.jsonl", "texts.jsonl"),
        tables=("MMQA_tables.jsonl", "tables.jsonl"),
        images=("MMQA_images.jsonl", "images.jsonl"),
        beside=gold_of(asked) if own_pages else None,
        only=set().union(*contexts) if given else None,
    )
    for question, own in zip(asked, contexts, strict=True):
        if given:
            _write_within(writer, question, own)
        else:
            writer.question(question)


def _write_within(writer: BundleWriter, question: dict[str, Any], contexts: list[str]) -> None:
    """Write a question that searches its own contexts, unless the release has none of them."""
    held = [context for context in contexts if writer.has(context)]
    if held:
        writer.question({**question, "documents": held})
    if len(held) < len(contexts):
        lost = f"{len(contexts) - len(held)} of its {len(contexts)} contexts are not in the release"
        writer.missing({"question": question["id"], "why": lost})


def _contexts(line: dict[str, Any]) -> list[str]:
    """Return the ids of a question's contexts, gold ones and distractors: a table, texts and images."""
    metadata = line.get("metadata", {})
    table = metadata.get("table_id")
    ids = [*([table] if table else []), *metadata.get("text_doc_ids", []), *metadata.get("image_doc_ids", [])]
    return [str(id_) for id_ in dict.fromkeys(ids)]


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
