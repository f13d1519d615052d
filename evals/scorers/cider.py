"""CIDEr-D of captions (Vedantam et al., CVPR 2015), as the COCO caption evaluation has it and NoCaps reports it.

Runs of one to four words weigh by how few pictures' captions have them; a caption is compared with each of the people's
by the cosine of these weights, clipped, with a penalty for another length, and the mean is multiplied by ten. Weights
are of the captions of all questions that are scored together. Shown as papers do: 1.0 is 100.

Words are those of NLTK's tokenizer without punctuation; officially those of a tokenizer in Java, which cuts captions in
the same places but for rare marks. SPICE is not offered: its parser of scenes exists in Java alone.
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
"""Weights of runs of one word, of two, …"""
_WORD = re.compile(r"\w")


def cider() -> PooledScorer:
    """CIDEr-D; an abstention is a caption without words. Of one question alone all runs weigh the same."""

    def single(question: Question, outcome: Outcome) -> float | None:
        if not question.answers:
            return None
        return scored([(_said(outcome), list(question.answers))], weigh=lambda run: 1.0)[0]

    return PooledScorer("CIDEr", single, prepare=_prepared)


def scored(
    captions: Sequence[tuple[str, Sequence[str]]], weigh: Callable[[tuple[str, ...]], float] | None = None
) -> list[float]:
    """CIDEr-D of each caption against the people's: ``(caption, people's captions)`` of each picture."""
    weigh = weigh or _rarity([people for _, people in captions])
    return [_one(_vector(runs_of(said), weigh), [_vector(runs_of(one), weigh) for one in people], said, people)
            for said, people in captions]  # fmt: skip


@lru_cache(maxsize=100_000)
def runs_of(caption: str) -> Runs:
    """How often each run of one to four words comes."""
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
    # Length is counted in pairs of words, as in the evaluation of COCO.
    length = max(0, len(_words(caption)) - 1)
    alike = 0.0
    for other, its_caption in zip(people, captions, strict=True):
        apart = length - max(0, len(_words(its_caption)) - 1)
        penalty = math.exp(-(apart**2) / (2 * SPREAD**2))
        alike += penalty * sum(_cosine(one, two) for one, two in zip(said, other, strict=True)) / LONGEST
    return 10 * alike / len(people)


def _cosine(one: Mapping[tuple[str, ...], float], two: Mapping[tuple[str, ...], float]) -> float:
    """Cosine in which a run counts no more than the other caption has it."""
    norms = math.sqrt(sum(value**2 for value in one.values())) * math.sqrt(sum(value**2 for value in two.values()))
    common = sum(min(value, two[run]) * two[run] for run, value in one.items() if run in two)
    return common / norms if norms else 0.0
