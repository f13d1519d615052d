"""Draw a random sample of questions, optionally stratified by a tag."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from backtrail.evals.breakdown import grouped
from backtrail.evals.questions import Question


def drawn(questions: Sequence[Question], number: int, seed: int, tag: str = "") -> list[Question]:
    """Draw at most ``number`` questions, in the order of the file. Deterministic for a seed.

    With a tag, its values keep their shares (largest remainders; a question with several values counts under its
    first). With the same seed a larger sample contains a smaller one, up to rounding of the shares.
    """
    ordered = sorted(questions, key=lambda question: _place(question, seed))
    if number >= len(ordered):
        return list(questions)
    strata = _strata(ordered, tag)
    sized = zip(strata, _sizes(strata, number), strict=True)
    taken = {question.id for stratum, size in sized for question in stratum[:size]}
    return [question for question in questions if question.id in taken]


def _place(question: Question, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}\n{question.id}".encode()).digest()


def _strata(ordered: Sequence[Question], tag: str) -> list[list[Question]]:
    if not tag:
        return [list(ordered)]
    seen: set[str] = set()
    strata: list[list[Question]] = []
    for group in grouped(ordered, tag, lambda question: question).values():
        own = [question for question in group if question.id not in seen]
        seen.update(question.id for question in own)
        strata.append(own)
    return [*strata, [question for question in ordered if question.id not in seen]]


def _sizes(strata: Sequence[Sequence[Question]], number: int) -> list[int]:
    """Return the sample size of each stratum, by largest remainders."""
    total = sum(map(len, strata))
    shares = [number * len(stratum) / total for stratum in strata]
    sizes = [int(share) for share in shares]
    by_remainder = sorted(range(len(strata)), key=lambda place: (sizes[place] - shares[place], place))
    for place in by_remainder[: number - sum(sizes)]:
        sizes[place] += 1
    return sizes
