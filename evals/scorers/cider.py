"""CIDEr-D of captions (Vedantam et al., CVPR 2015), as in the COCO caption evaluation and NoCaps.

N-grams of one to four words are weighted by their rarity among the pictures; a caption is compared with each reference
by the clipped cosine of these weights, with a penalty for another length, and the mean is multiplied by ten. Weights
come from the references of all questions that are scored together. As in papers, 1.0 is shown as 100.

Words are those of NLTK's tokenizer without punctuation; the official tokenizer, in Java, differs only at rare marks.
There is no SPICE: its scene parser exists only in Java.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Pair, PooledScorer
from backtrail.evals.scorers.tokens import tokens_of

LONGEST, SPREAD = 4, 6.0
Runs = Mapping[tuple[str, ...], int]
Vector = tuple[dict[tuple[str, ...], float], ...]
"""Weights of the n-grams, by n."""
_WORD = re.compile(r"\w")


def cider() -> PooledScorer:
    """CIDEr-D; an abstention is an empty caption. For a single question all n-grams have the same weight."""

    def single(question: Question, outcome: Outcome) -> float | None:
        if not question.answers:
            return None
        return scored([(_said(outcome), list(question.answers))], weigh=lambda run: 1.0)[0]

    return PooledScorer("CIDEr", single, prepare=_prepared)


def scored(
    captions: Sequence[tuple[str, Sequence[str]]], weigh: Callable[[tuple[str, ...]], float] | None = None
) -> list[float]:
    """CIDEr-D of each ``(caption, references)``."""
    weigh = weigh or _rarity([people for _, people in captions])
    return [_one(_vector(runs_of(said), weigh), [_vector(runs_of(one), weigh) for one in people], said, people)
            for said, people in captions]  # fmt: skip


@lru_cache(maxsize=100_000)
def runs_of(caption: str) -> Runs:
    """Count the n-grams of one to four words."""
    words = _words(caption)
    return Counter(
        tuple(words[start : start + length])
        for length in range(1, LONGEST + 1)
        for start in range(len(words) - length + 1)
    )


def _words(caption: str) -> list[str]:
    return [word for word in tokens_of(caption) if _WORD.search(word)]


def _prepared(pairs: Sequence[Pair]) -> Callable[[Sequence[Pair]], float]:
    of = dict(
        zip(
            (question.id for question, _ in pairs),
            scored([(_said(outcome), list(question.answers)) for question, outcome in pairs]),
            strict=True,
        )
    )
    return lambda some: sum(of[question.id] for question, _ in some) / len(some)


def _said(outcome: Outcome) -> str:
    return "" if outcome.abstained or outcome.error is not None else outcome.said


def _rarity(people: Sequence[Sequence[str]]) -> Callable[[tuple[str, ...]], float]:
    having: Counter[tuple[str, ...]] = Counter()
    for captions in people:
        having.update({run for caption in captions for run in runs_of(caption)})
    pictures = math.log(len(people))
    return lambda run: pictures - math.log(max(1, having[run]))


def _vector(runs: Runs, weigh: Callable[[tuple[str, ...]], float]) -> Vector:
    vector: Vector = tuple({} for _ in range(LONGEST))
    for run, times in runs.items():
        vector[len(run) - 1][run] = times * weigh(run)
    return vector


def _one(said: Vector, people: Sequence[Vector], caption: str, captions: Sequence[str]) -> float:
    # Length is counted in bigrams, as in the evaluation of COCO.
    length = max(0, len(_words(caption)) - 1)
    alike = 0.0
    for other, its_caption in zip(people, captions, strict=True):
        apart = length - max(0, len(_words(its_caption)) - 1)
        penalty = math.exp(-(apart**2) / (2 * SPREAD**2))
        alike += penalty * sum(_cosine(one, two) for one, two in zip(said, other, strict=True)) / LONGEST
    return 10 * alike / len(people)


def _cosine(one: Mapping[tuple[str, ...], float], two: Mapping[tuple[str, ...], float]) -> float:
    """Cosine with the weights of ``one`` clipped to those of ``two``."""
    norms = math.sqrt(sum(value**2 for value in one.values())) * math.sqrt(sum(value**2 for value in two.values()))
    common = sum(min(value, two[run]) * two[run] for run, value in one.items() if run in two)
    return common / norms if norms else 0.0
