"""Which method is asked which questions, the most telling first; questions are chosen by the sha256 of their ids."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backtrail.evals.questions import Question, read_questions
from backtrail.state.variant import OURS, VariantName, from_label

ASKED_BEFORE = {"ottqa": 24, "wild": 26}
"""The first so many by the same hash were asked while prompts were worked on; they are passed over."""
UNANSWERABLE = 5
COUNTS = {"ottqa": 24, "wild": 20, "pictures": 8}


@dataclass(frozen=True)
class Row:
    """A method, as ``fif`` or ``fif:published``, on the first so many questions of a set."""

    label: str
    asked: str
    count: int

    @property
    def method(self) -> str:
        """Its name."""
        return from_label(self.label)[0]

    @property
    def variant(self) -> VariantName:
        """Its variant."""
        return from_label(self.label)[1] or OURS


def _both(label: str, ottqa: int = 24, wild: int = 20) -> list[Row]:
    return [Row(label, "ottqa", ottqa), Row(label, "wild", wild)]


PLAN: tuple[Row, ...] = (
    *_both("fif"),
    *_both("ircot"),
    *_both("bm25"),
    *_both("hm_rag", 4, 2),
    *_both("mmapg", 4, 2),
    *_both("lilac"),
    *_both("fif:published", 5, 3),
    *_both("dense"),
    Row("fif", "pictures", 8),
    Row("mmapg", "pictures", 8),
    *_both("hm_rag:published", 2, 1),
    *_both("mmapg:published", 2, 1),
)


def chosen(asked: str) -> list[Question]:
    """The questions of a set, in the order of the hash: of wild the unanswerable ones and as many more as are wanted.

    Raises:
        QuestionsError: the public corpora are not at $BACKTRAIL_DATA.
    """
    if asked == "pictures":
        return read_questions(Path(__file__).with_name("pictures.jsonl"))
    every = read_questions(Path(os.environ.get("BACKTRAIL_DATA", "")) / asked / "questions.jsonl")
    if asked == "ottqa":  # its second half is kept apart
        return by_hash(every[: len(every) // 2])[ASKED_BEFORE[asked] :][: COUNTS[asked]]
    ordered = by_hash(every)
    unanswerable = [question for question in ordered if not question.answerable][:UNANSWERABLE]
    others = [question for question in ordered[ASKED_BEFORE[asked] :] if question.answerable]
    return by_hash([*unanswerable, *others[: COUNTS[asked] - len(unanswerable)]])


def by_hash(questions: Sequence[Question]) -> list[Question]:
    """In an order that nobody chose."""
    return sorted(questions, key=lambda question: hashlib.sha256(question.id.encode()).hexdigest())


def corpus_of(asked: str, question: Question) -> str:
    """The corpus that a question of a set is about."""
    return {"ottqa": "ottqa", "pictures": "openstax"}.get(asked) or f"wild-{question.corpus}"
