"""Plans: which method answers which questions. Questions are drawn by the sha256 of their ids."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from backtrail.evals.questions import Question, read_questions
from backtrail.state.variant import OURS, VariantName, from_label

ASKED_BEFORE = {"ottqa": 24, "wild": 26}
"""Number of first questions by the same hash that were used in developing prompts; they are skipped."""
UNANSWERABLE = 5
OF_EACH_CORPUS = 5
COUNTS = {"ottqa": 24, "wild": 20, "pictures": 8}
WRITTEN_HERE = ("pictures", "beyond_lookup")
"""Sets with questions in a file beside this one."""


@dataclass(frozen=True)
class Row:
    """A method, as ``fif`` or ``fif:published``, with a set and the number of its questions."""

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
SAFETY: tuple[Row, ...] = (Row("fif", "lookup", 20), Row("fif", "beyond_lookup", 6))
PLANS = {"methods": PLAN, "safety": SAFETY}
"""``methods`` compares all methods once; ``safety`` is run again when prompts or evidence change."""


def chosen(asked: str) -> list[Question]:
    """Return the questions of a set in the order of the hash.

    ``wild`` and ``lookup`` have the unanswerable questions of the real files and 15 others; those of ``lookup`` are
    five of each corpus.

    Raises:
        QuestionsError: the public corpora are not at $BACKTRAIL_DATA.
    """
    if asked in WRITTEN_HERE:
        return read_questions(Path(__file__).with_name(f"{asked}.jsonl"))
    source = "ottqa" if asked == "ottqa" else "wild"
    every = read_questions(Path(os.environ.get("BACKTRAIL_DATA", "")) / source / "questions.jsonl")
    if asked == "ottqa":  # its second half is held out
        return by_hash(every[: len(every) // 2])[ASKED_BEFORE[asked] :][: COUNTS[asked]]
    ordered = by_hash(every)
    unanswerable = [question for question in ordered if not question.answerable][:UNANSWERABLE]
    others = [question for question in ordered[ASKED_BEFORE[source] :] if question.answerable]
    if asked == "lookup":
        corpora = sorted({question.corpus for question in others})
        even = [[one for one in others if one.corpus == corpus][:OF_EACH_CORPUS] for corpus in corpora]
        return by_hash([*unanswerable, *chain.from_iterable(even)])
    return by_hash([*unanswerable, *others[: COUNTS[asked] - len(unanswerable)]])


def by_hash(questions: Sequence[Question]) -> list[Question]:
    """Sort questions by the sha256 of their ids."""
    return sorted(questions, key=lambda question: hashlib.sha256(question.id.encode()).hexdigest())


def corpus_of(asked: str, question: Question) -> str:
    """Return the corpus that a question of a set is about."""
    return {"ottqa": "ottqa", "pictures": "openstax"}.get(asked) or f"wild-{question.corpus}"
