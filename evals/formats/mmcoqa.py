"""MMCoQA, the official release (Li et al., ACL 2022): conversations over the contexts of MultimodalQA.

Files: ``MMCoQA_{split}.txt`` (JSON lines), ``qrels.txt`` and the three context files, whose names start with
``multimodalqa_final_dataset_pipeline_camera_ready_``. One row of a split:

    {"qid": "C_0_1", "question": "what did he win?", "gold_question": "what did Bill Murray win?",
     "history": [{"question": "…", "answer": [{"answer": "…"}]}], "question_type": "text",
     "answer": [{"answer": "…", "text_instances": [{"doc_id": "…"}], "image_instances": []}], "table_id": "…"}

The conversation before a question is its history; the run rewrites the question with it.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines
from backtrail.evals.formats.mmqa_contexts import gold_of, split_of, write_contexts

_PREFIX = "multimodalqa_final_dataset_pipeline_camera_ready_"


def write_mmcoqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the contexts, and the questions of a split (train, dev, test) with the turns before them.

    ``dev.pages`` writes only contexts of pages with gold of its questions.

    Raises:
        FormatError: a file is missing, or a line lacks a field.
    """
    split, own_pages = split_of(split)
    questions = found(source, f"MMCoQA_{split}.txt", f"MMCoQA_{split}.jsonl")
    names = {part: (f"{_PREFIX}MMQA_{part}.jsonl", f"MMQA_{part}.jsonl") for part in ("texts", "tables", "images")}
    judged = _judgements(source)
    asked = [_question(line, judged, questions, number) for number, line in read_json_lines(questions)]
    beside = gold_of(asked) if own_pages else None
    write_contexts(source, writer, names["texts"], names["tables"], names["images"], beside)
    for question in asked:
        writer.question(question)


def _judgements(source: Path) -> dict[str, list[str]]:
    """Read the relevant contexts of each question: ``qid 0 doc_id 1`` per line, or one JSON object of objects."""
    file = source / "qrels.txt"
    judged: dict[str, list[str]] = defaultdict(list)
    if not file.is_file():
        return judged
    text = file.read_text(encoding="utf-8")
    if text.lstrip().startswith("{"):
        for _, line in read_json_lines(file):
            for question, documents in line.items():
                judged[question] += [document for document, grade in documents.items() if int(grade) > 0]
        return judged
    for number, row in enumerate(text.splitlines(), start=1):
        parts = row.split()
        if parts and len(parts) != 4:
            raise FormatError(file, number, f"has {len(parts)} columns; qid, 0, document, grade were expected")
        if parts and parts[3] != "0":
            judged[parts[0]].append(parts[2])
    return judged


def _question(line: dict[str, Any], judged: dict[str, list[str]], file: Path, number: int) -> dict[str, Any]:
    id_ = str(field(line, "qid", file, number))
    answers = [str(answer["answer"]) for answer in line.get("answer", [])]
    gold = judged.get(id_) or _own_contexts(line)
    return {
        "id": id_,
        "question": str(field(line, "question", file, number)),
        "image": None,
        "answers": [", ".join(answers)] if answers else [],
        "gold": [list(dict.fromkeys(gold))] if gold else [],
        "hops": 1 if gold else 0,
        "history": [_turn(turn) for turn in line.get("history", [])],
        "tags": {
            "answer_list": answers,
            "type": line.get("question_type", ""),
            "standalone": line.get("gold_question", ""),
            "turn": len(line.get("history", [])),
        },
    }


def _own_contexts(line: dict[str, Any]) -> list[str]:
    """Return the contexts that the answers name, for a question without judgements."""
    named = [
        str(instance["doc_id"])
        for answer in line.get("answer", [])
        for kind in ("text_instances", "image_instances")
        for instance in answer.get(kind, [])
    ]
    return named or [str(line["table_id"])] * bool(line.get("table_id"))


def _turn(turn: dict[str, Any]) -> dict[str, str]:
    answers = turn.get("answer", [])
    joined = answers if isinstance(answers, str) else ", ".join(str(answer["answer"]) for answer in answers)
    return {"question": str(turn.get("question", "")), "answer": joined}
