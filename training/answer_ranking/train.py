"""Train: both sets of weights from recorded questions, and how they do on corpora that they were not trained on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from backtrail.rules.reader.ranking import Ranking, packaged_ranking
from backtrail.tools.atomic_file import write_atomically
from backtrail.training.answer_ranking.fitting import CANDIDATES, QUOTES, Fitting
from backtrail.training.answer_ranking.reading import (
    Read,
    Weights,
    candidate_choices,
    first_is_right,
    listed_passages,
    passage_choices,
    quotes_are_right,
)
from backtrail.training.errors import UnknownSignals

# What a method's search finds on the way is set by hand: recorded questions of one method say little of others.
# Things of the same name with another number are too few to learn from.
FIXED: Weights = {"another": -3.0, "bridge": 1.0, "told": 1.0}
# Parts of the questions where they are parted by their ids.
FOLDS = 5


@dataclass(frozen=True)
class Measured:
    """Of the questions of a task: how often the first candidate is right, and how often the quotes hold the answer.

    ``now``: by the weights in use; ``held_out``: by weights learnt without the corpus (or fold).
    """

    task: str
    questions: int
    first: Mapping[str, int]
    quoted: Mapping[str, int]


def train(questions: Sequence[Read], fitting: Fitting = Fitting()) -> Ranking:  # noqa: B008 -- frozen
    """Weights for the signals that ``ranking.json`` weighs; the same for the same questions in the same order.

    Candidates first, as passages are judged by the candidates that stand in them.

    Raises:
        TooFewToRank: too few questions have a right and a wrong candidate, or passage.
        UnknownSignals: no candidate has a signal of that name.
    """
    by, quoted = fitting.before[CANDIDATES], fitting.before[QUOTES]
    if CANDIDATES in fitting.learnt:
        names, fixed = _learnt(questions, fitting)
        likely = None if fitting.first is None else (fitting.before[CANDIDATES], fitting.first)
        lists = [fitting.counted(candidate_choices(one, names, fixed, likely), one.row.task) for one in questions]
        by = dict(sorted({**fitting.fitted(CANDIDATES, names, lists), **fixed}.items()))
    if QUOTES in fitting.learnt:
        names = sorted(packaged_ranking()[QUOTES])
        lists = [
            fitting.counted(passage_choices(one, listed_passages(one, by), names), one.row.task) for one in questions
        ]
        quoted = fitting.fitted(QUOTES, names, lists)
    return {CANDIDATES: dict(by), QUOTES: dict(quoted)}


def _learnt(questions: Sequence[Read], fitting: Fitting) -> tuple[list[str], Weights]:
    """Names of the signals of candidates that are weighed anew, and the weights of the others."""
    if not fitting.signals:
        return sorted(packaged_ranking()[CANDIDATES].keys() - FIXED.keys()), FIXED
    known = set(packaged_ranking()[CANDIDATES]).union(*(own for one in questions for own in one.signals))
    if unknown := sorted(set(fitting.signals) - known):
        raise UnknownSignals(unknown, sorted(known))
    before = fitting.before[CANDIDATES]
    return sorted(set(fitting.signals)), {name: before[name] for name in before.keys() - set(fitting.signals)}


def folds(questions: Sequence[Read], *, by_question: bool = False) -> dict[str, list[Read]]:
    """Questions by corpus; of a single corpus, or where asked, by the hash of their ids."""
    by_question = by_question or len({one.row.corpus for one in questions}) < 2
    parts: dict[str, list[Read]] = {}
    for one in questions:
        drawn = int.from_bytes(hashlib.sha256(one.question.id.encode()).digest()[:4], "big") % FOLDS
        parts.setdefault(f"fold {drawn + 1}" if by_question else one.row.corpus, []).append(one)
    return parts


def unseen(parts: Mapping[str, Sequence[Read]], fitting: Fitting) -> list[tuple[Sequence[Read], Ranking]]:
    """Each part with weights that were learnt without it.

    Raises:
        TooFewToRank: the other parts have too few questions.
    """
    return [
        (part, train([one for other, held in parts.items() if other != name for one in held], fitting))
        for name, part in parts.items()
    ]


def held_out(judged: Sequence[tuple[Sequence[Read], Ranking]]) -> list[Measured]:
    """Every task by weights that were learnt without its part (``unseen``), beside those of the package."""
    right: dict[str, list[tuple[bool, ...]]] = {}
    for part, learnt in judged:
        for one in part:
            found: list[bool] = []
            for ranking in (packaged_ranking(), learnt):
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
