"""Rank candidates by few signals. A candidate's share is the softmax over all scores."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backtrail.rules.reader.candidates import Candidate

WEIGHTS: Mapping[str, float] = {
    "near": 8.0, "led": 6.0, "lead": 5.0, "fit": 3.0, "place": 3.0, "cell": 2.0, "early": 2.0, "named": 2.0,
    "subject": -2.0,
}  # fmt: skip
"""Whole numbers near a listwise fit on OTT-QA, the example pages and the files of ``wild``.

On 100 questions each of HotpotQA and MuSiQue, which they were not fitted on, 20 and 5 first candidates are right; of
93 fitted weights 20 and 4.
"""


@dataclass(frozen=True)
class Ranked:
    """A candidate with its score, and its share in [0, 1] of the likelihood of all candidates."""

    candidate: Candidate
    score: float
    share: float


def ranked(found: Sequence[Candidate]) -> list[Ranked]:
    """Rank candidates, best first; of equals the longer: "Toledo, Oregon" before "Toledo"."""
    scores = [sum(WEIGHTS.get(name, 0.0) * value for name, value in one.signals.items()) for one in found]
    highest = max(scores, default=0.0)
    powers = [math.exp(max(-60.0, score - highest)) for score in scores]
    of_text: dict[str, float] = defaultdict(float)
    for candidate, power in zip(found, powers, strict=True):
        of_text[candidate.text.casefold()] += power / math.fsum(powers)
    listed = [
        Ranked(candidate, score, of_text[candidate.text.casefold()])
        for candidate, score in zip(found, scores, strict=True)
    ]
    return sorted(listed, key=lambda one: (-round(one.score, 9), -len(one.candidate.text), one.candidate.text))
