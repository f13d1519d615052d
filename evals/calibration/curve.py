"""Risk and coverage: of the surest so many questions, how many are read rightly (El-Yaniv and Wiener, 2010)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backtrail.evals.calibration.case import Case
from backtrail.evals.calibration.fit import Held

COVERAGES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1.0)
# A level begins where so many readings of the other corpora, all surer, are right.
RIGHT_AT_HIGH, RIGHT_AT_MEDIUM = 0.8, 0.5
# Fewer readings than this say little of the share that is right.
LEAST_AT_A_LEVEL = 20
# Fewer readings of people's questions than this set no level by themselves.
LEAST_OF_PEOPLE = 100
_NEVER = 1.0


@dataclass(frozen=True)
class Point:
    """``answered`` of the ``questions`` when everything surer than ``probability`` is said, and how many rightly."""

    questions: int
    answered: int
    right: int
    probability: float

    @property
    def coverage(self) -> float:
        """Share of all questions that is answered."""
        return self.answered / self.questions if self.questions else 0.0

    @property
    def share_right(self) -> float:
        """Share of the answered ones that is right: one minus the risk."""
        return self.right / self.answered if self.answered else 0.0


def curve(held: Held, questions: int, corpus: str | None = None) -> list[Point]:
    """One point for each coverage that the readings reach.

    Args:
        held: readings with held-out probabilities.
        questions: how many were asked, read or not.
        corpus: of one corpus alone.
    """
    listed = _surest_first(held, corpus)
    points: list[Point] = []
    for share in COVERAGES:
        answered = round(share * questions)
        if 0 < answered <= len(listed):
            points.append(_point(listed[:answered], questions))
    if listed and (not points or points[-1].answered < len(listed)):
        points.append(_point(listed, questions))
    return points


def at_least(held: Held, probability: float, questions: int, corpus: str | None = None) -> Point:
    """What is said when a reading needs this probability."""
    listed = [entry for entry in _surest_first(held, corpus) if entry[0] >= probability and entry[1].says_enough]
    return _point(listed, questions) if listed else Point(questions, 0, 0, probability)


def by_people(held: Held) -> Held:
    """Readings of people's questions alone; all of them where those are too few to tell a level."""
    asked = np.array([not case.made for case in held.cases], bool)
    if asked.sum() < LEAST_OF_PEOPLE:
        return held
    return Held([case for case in held.cases if not case.made], held.probabilities[asked], held.strength)


def threshold(held: Held, share_right: float, *, of_enough: bool = False) -> float:
    """The least probability from which on so many readings are right; above all of them where none are.

    Args:
        of_enough: of readings that may be high alone (``signals.says_enough``).
    """
    right, found = 0, _NEVER
    pairs = zip(held.probabilities.tolist(), held.cases, strict=True)
    listed = sorted((pair for pair in pairs if pair[1].says_enough or not of_enough), key=lambda pair: -pair[0])
    for count, (probability, case) in enumerate(listed, start=1):
        right += case.right
        last_of_equals = count == len(listed) or listed[count][0] < probability
        if last_of_equals and count >= LEAST_AT_A_LEVEL and right >= share_right * count:
            found = probability
    return found


def levels(held: Held) -> tuple[float, float]:
    """From which probability on readings are of medium, and of high confidence.

    So many of the surer ones are right (``RIGHT_AT_MEDIUM``, ``RIGHT_AT_HIGH``): of people's questions where there are
    enough of them, as made ones are easier, and high of what may be high alone. Each begins at the next hundredth: a
    few hundred readings tell it no finer, and one begun too low says what is wrong.
    """
    asked = by_people(held)
    high = _up(threshold(asked, RIGHT_AT_HIGH, of_enough=True))
    return min(high, _up(threshold(asked, RIGHT_AT_MEDIUM))), high


def _up(probability: float) -> float:
    return math.ceil(round(probability * 100, 6)) / 100


def _surest_first(held: Held, corpus: str | None) -> list[tuple[float, Case]]:
    pairs = zip(held.probabilities.tolist(), held.cases, strict=True)
    return sorted(
        (pair for pair in pairs if corpus is None or pair[1].corpus == corpus),
        key=lambda pair: (not pair[1].says_enough, -pair[0], pair[1].question),
    )


def _point(listed: Sequence[tuple[float, Case]], questions: int) -> Point:
    return Point(questions, len(listed), sum(case.right for _, case in listed), listed[-1][0])
