"""Pack a folder into a baseline: outcomes without text of documents, and questions."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from backtrail.evals.questions import Question
from reader_table.asking import held
from reader_table.kept import lines_of
from reader_table.plan import Row

OF_MISTAKEN = (
    "id",
    "fingerprint",
    "answer",
    "short",
    "abstained",
    "stop_reason",
    "calls",
    "input_tokens",
    "output_tokens",
)
LEFT_OUT = ("quoted", "quotes", "read", "signals", "seconds", "scores", "planned", "judged")
"""Fields of an outcome left out: text of documents, and values that are computed again."""


def pack(plan: Sequence[Row], folder: Path, ships: Path, questions: dict[str, list[Question]]) -> str:
    """Write the baseline and return the sizes of its files."""
    finished = [one for one in held(folder, plan, questions) if one.outcome.error is None]
    lines = [
        {
            "row": one.row.label,
            "set": one.row.asked,
            "code": one.code,
            "outcome": {**one.outcome.model_dump(mode="json", exclude=set(LEFT_OUT)), "seconds": 0.0},
        }
        for one in finished
    ]
    mistaken = [
        {
            **line,
            "outcome": {name: line["outcome"][name] for name in OF_MISTAKEN} | {"seconds": 0.0},
        }
        for line in lines_of(folder / "mistaken.jsonl")
        if not line["outcome"]["error"]
    ]
    scored = [{"set": name, **_scored(question)} for name, held in questions.items() for question in held]
    sizes = {
        "outcomes.jsonl.gz": _write(ships / "outcomes.jsonl.gz", lines),
        "questions.jsonl.gz": _write(ships / "questions.jsonl.gz", scored),
    }
    if mistaken:
        sizes["mistaken.jsonl.gz"] = _write(ships / "mistaken.jsonl.gz", mistaken)
    return "\n".join(f"{name}: {size:,} bytes" for name, size in sizes.items())


def shipped_questions(folder: Path) -> dict[str, list[Question]]:
    """Return the questions of a baseline, for scoring its outcomes; empty for another folder."""
    sets: dict[str, list[Question]] = {}
    for one in lines_of(folder / "questions.jsonl.gz"):
        sets.setdefault(one.pop("set"), []).append(Question.model_validate(one))
    return sets


def _scored(question: Question) -> dict[str, Any]:
    """Return a question with its gold as component ids instead of quotes."""
    return question.model_dump(
        mode="json", include={"id", "question", "answers", "parts", "gold", "corpus", "kind", "hops"}
    )


def _write(file: Path, lines: Iterable[dict[str, Any]]) -> int:
    """Write a gzipped file and return its size in bytes; the same lines give the same file."""
    text = "".join(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n" for line in lines)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
    return file.stat().st_size
