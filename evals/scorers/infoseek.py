"""Scores of InfoSeek (Chen et al., EMNLP 2023): exact for names and dates, within a range for numbers.

As in the official evaluation, a number is right within the gold range; two numbers are a range, which is right within
the gold one or with an intersection over union of 0.5. The overall score is the harmonic mean over the questions with
an unseen question and those with an unseen entity.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Pair, PooledScorer, Scorer
from backtrail.evals.scorers.answers import normalise

SPLITS = ("question", "entity")
_NUMBER = re.compile(r"[-+]?\.?\d+(?:,\d{3})*\.?\d*(?:[eE][-+]?\d+)?")
_DASH = re.compile(r"(?<=\d)-")
_LEAST_OVERLAP, _TINY = 0.5, 1e-12


def infoseek_score() -> Scorer:
    """1 when the answer is right for its type, else 0."""
    return Scorer("InfoSeek", _right)


def infoseek_overall() -> PooledScorer:
    """Harmonic mean of both kinds of unseen questions; 0 where one of them scores 0 or is absent."""
    return PooledScorer("InfoSeek overall", _right, pool=_harmonic)


def within(answer: str, low: float, high: float) -> bool:
    """Return whether the number or range of an answer matches a gold range."""
    numbers = numbers_in(answer)
    if len(numbers) < 2:
        return low <= (numbers[0] if numbers else 0.0) <= high
    first, last = numbers
    if low <= first <= high and low <= last <= high:
        return True
    overlap = max(0.0, min(last, high) - max(first, low))
    both = (last - first + _TINY) + (high - low + _TINY) - overlap
    return overlap / both >= _LEAST_OVERLAP - _TINY


def numbers_in(answer: str) -> list[float]:
    """Return the first two numbers, or the first where the second is smaller; without numbers 0 and 0."""
    found = [_value(written) for written in _NUMBER.findall(_DASH.sub(" - ", answer))][:2]
    if not found:
        return [0.0, 0.0]
    return found if len(found) == 2 and found[0] <= found[1] else found[:1]


def _value(written: str) -> float:
    plain = written.replace(",", "").strip(".")
    return float(plain.split(".")[0] if plain.count(".") > 1 else plain)


def _right(question: Question, outcome: Outcome) -> float | None:
    gold, wordings = question.tags.get("range"), question.tags.get("wordings") or question.answers
    if not gold and not wordings:
        return None
    if outcome.abstained:
        return 0.0
    if gold:
        return float(within(outcome.said, *gold))
    return float(any(normalise(outcome.said) == normalise(str(one)) for one in wordings))


def _harmonic(pairs: Sequence[Pair]) -> float:
    shares: list[float] = []
    for split in SPLITS:
        scored = [score for pair in pairs if pair[0].tags.get("seen") == split and (score := _right(*pair)) is not None]
        shares.append(sum(scored) / len(scored) if scored else 0.0)
    return 2 / sum(1 / share for share in shares) if all(shares) else 0.0
