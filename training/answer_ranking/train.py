"""Train: both sets of weights from recorded questions, and how they do on corpora that they were not trained on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from backtrail.rules.reader.ranking import weights
from backtrail.tools.atomic_file import write_atomically
from backtrail.training.answer_ranking.listwise import Choices, fit
from backtrail.training.answer_ranking.reading import (
    Read,
    Weights,
    candidate_choices,
    first_is_right,
    listed_passages,
    passage_choices,
    quotes_are_right,
)
from backtrail.training.errors import TooFewToRank

CANDIDATES, QUOTES = "candidates", "quotes"
# What a method's search finds on the way is set by hand: recorded questions of one method say little of others.
# Things of the same name with another number are too few to learn from.
FIXED: Weights = {"another": -3.0, "bridge": 1.0, "told": 1.0}
PENALTIES = {CANDIDATES: 0.01, QUOTES: 0.05}
# Fewer questions with a right and a wrong thing tell nothing of so many signals (ours).
LEAST = 100
# Parts of the questions where there is only one corpus to make folds of.
FOLDS = 5

Ranking = Mapping[str, Weights]
"""Weights of ``candidates`` and of ``quotes``."""


@dataclass(frozen=True)
class Measured:
    """Of the questions of a task: how often the first candidate is right, and how often the quotes hold the answer.

    ``now``: by the weights in use; ``held_out``: by weights learnt without the corpus (or fold).
    """

    task: str
    questions: int
    first: Mapping[str, int]
    quoted: Mapping[str, int]


def in_use() -> Ranking:
    """The weights that come with the package."""
    return {of: weights(of) for of in (CANDIDATES, QUOTES)}


def train(questions: Sequence[Read], least: int = LEAST) -> Ranking:
    """Weights for the signals that ``ranking.json`` weighs; the same for the same questions in the same order.

    Candidates first, as passages are judged by the candidates that stand in them.

    Raises:
        TooFewToRank: too few questions have a right and a wrong candidate, or passage.
    """
    names = sorted(weights(CANDIDATES).keys() - FIXED.keys())
    learnt = _fitted(CANDIDATES, names, [candidate_choices(one, names, FIXED) for one in questions], least)
    by = dict(sorted({**learnt, **FIXED}.items()))
    names = sorted(weights(QUOTES))
    lists = [passage_choices(one, listed_passages(one, by), names) for one in questions]
    return {CANDIDATES: by, QUOTES: _fitted(QUOTES, names, lists, least)}


def _fitted(of: str, names: Sequence[str], lists: Sequence[Choices], least: int) -> Weights:
    teaching = sum(one.teaches for one in lists)
    if teaching < least:
        raise TooFewToRank(of, len(lists), teaching, least)
    found = np.round(fit(lists, penalty=PENALTIES[of], each=of == QUOTES), 2) + 0.0  # no "-0.0"
    return dict(zip(names, found.tolist(), strict=True))


def folds(questions: Sequence[Read]) -> dict[str, list[Read]]:
    """Questions by corpus; of a single corpus by the hash of their ids."""
    several = len({one.row.corpus for one in questions}) > 1
    parts: dict[str, list[Read]] = {}
    for one in questions:
        drawn = int.from_bytes(hashlib.sha256(one.question.id.encode()).digest()[:4], "big") % FOLDS
        parts.setdefault(one.row.corpus if several else f"fold {drawn + 1}", []).append(one)
    return parts


def held_out(questions: Sequence[Read], least: int = LEAST) -> list[Measured]:
    """Every task by weights that were learnt without its corpus, beside those in use.

    Raises:
        TooFewToRank: the other corpora have too few questions.
    """
    right: dict[str, list[tuple[bool, ...]]] = {}
    parts = folds(questions)
    for name, part in parts.items():
        rankings = (in_use(), train([one for other, held in parts.items() if other != name for one in held], least))
        for one in part:
            found: list[bool] = []
            for ranking in rankings:
                listed = listed_passages(one, ranking[CANDIDATES])
                found += [
                    first_is_right(one, ranking[CANDIDATES]),
                    quotes_are_right(one, listed, ranking[QUOTES]),
                ]
            right.setdefault(one.row.task, []).append(tuple(found))
    return [_measured(task, rows) for task, rows in right.items()]


def _measured(task: str, rows: Sequence[tuple[bool, ...]]) -> Measured:
    first_now, quoted_now, first_held, quoted_held = (sum(column) for column in zip(*rows, strict=True))
    return Measured(
        task, len(rows), {"now": first_now, "held_out": first_held}, {"now": quoted_now, "held_out": quoted_held}
    )


def write_ranking(file: Path, ranking: Ranking) -> None:
    """Keep weights where ``file`` says; a reader sees the old ones or the new, never half of them."""
    write_atomically(file, f"{json.dumps(ranking, indent=2)}\n".encode())
