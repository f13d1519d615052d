"""Scorers of multiple-choice questions. Questions without options are skipped.

An answer counts for the option that it clearly means (``backtrail.language.options``). An abstention is wrong, and so
is an answer that means none or several; there is no guessing. Abstentions are also reported separately.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Pair, PooledScorer, Scorer
from backtrail.language.options import meant


def accuracy() -> Scorer:
    """1 when the right option was chosen, else 0."""
    return Scorer("Accuracy", _right)


def accuracy_when_answered() -> Scorer:
    """Accuracy over the answered questions."""
    return Scorer(
        "Accuracy answered", lambda question, outcome: None if outcome.abstained else _right(question, outcome)
    )


def unclear() -> Scorer:
    """Share of questions whose answer means none or several of the options."""

    def says_no_option(question: Question, outcome: Outcome) -> float | None:
        options = options_of(question)
        return float(not outcome.abstained and chosen(question, outcome) is None) if options else None

    return Scorer("Unclear", says_no_option)


def macro_f1() -> PooledScorer:
    """Mean of F1 = 2 TP / (2 TP + FP + FN) over occurring classes; unclear answers are no positives."""
    return PooledScorer("Macro-F1", _right, pool=pooled_macro_f1)


def pooled_macro_f1(pairs: Sequence[Pair]) -> float:
    """Macro-F1 over questions with options; 0 when there are none. Classes are identified by their texts."""
    right: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    for question, outcome in pairs:
        texts = dict(options_of(question))
        label, choice = question.tags.get("label"), chosen(question, outcome)
        wanted[texts.get(str(label), "")] += 1
        if choice is not None:
            predicted[texts[choice]] += 1
            right[texts[choice]] += choice == label
    scores = [2 * right[name] / (wanted[name] + predicted[name]) for name in wanted]
    return sum(scores) / len(scores) if scores else 0.0


def chosen(question: Question, outcome: Outcome) -> str | None:
    """Return the label of the option that an answer means; None for an abstention or an unclear answer."""
    if outcome.abstained or outcome.error is not None:
        return None
    options = options_of(question)
    return meant(outcome.short, options) or meant(outcome.answer, options)


def options_of(question: Question) -> list[tuple[str, str]]:
    """Return the options of a question with their labels."""
    texts = question.tags.get("options") or []
    return list(zip(string.ascii_uppercase, map(str, texts), strict=False))


def _right(question: Question, outcome: Outcome) -> float | None:
    if not options_of(question):
        return None
    return float(chosen(question, outcome) == question.tags.get("label"))
