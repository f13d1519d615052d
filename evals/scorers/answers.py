"""Scorers of answers, normalised as in SQuAD (Rajpurkar et al., 2016): the best over the gold answers.

An abstention on an answerable question scores 0. Questions without gold answers are skipped.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_POLAR = {"yes", "no", "noanswer"}
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def exact_match() -> Scorer:
    """1 when the normalised answer equals a normalised gold answer, else 0."""
    return Scorer("EM", _best(lambda answer, gold: float(normalise(answer) == normalise(gold))))


def token_f1() -> Scorer:
    """Harmonic mean of precision and recall over the words of the normalised answers."""
    return Scorer("F1", _best(f1))


def hotpot_f1() -> Scorer:
    """Token F1, but a wrong answer of yes or no scores 0 (HotpotQA's evaluation)."""
    return Scorer("F1", _best(polar_f1))


def polar_f1(answer: str, gold: str) -> float:
    """As ``f1``, with yes, no and "noanswer" compared whole; two empty answers score 0 (official script)."""
    own, wanted = normalise(answer), normalise(gold)
    if own != wanted and {own, wanted} & _POLAR:
        return 0.0
    return f1(answer, gold) if own and wanted else 0.0


def normalise(text: str) -> str:
    """Normalise to lower case without ASCII punctuation, articles and extra space, in SQuAD's order."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def f1(answer: str, gold: str) -> float:
    """F1 of two answers as bags of words: 1 when both are empty, 0 when one is."""
    own, wanted = normalise(answer).split(), normalise(gold).split()
    if not own or not wanted:
        return float(own == wanted)
    common = sum((Counter(own) & Counter(wanted)).values())
    return 2 * common / (len(own) + len(wanted))


def _best(compare: Callable[[str, str], float]) -> Callable[[Question, Outcome], float | None]:
    def best(question: Question, outcome: Outcome) -> float | None:
        if not question.answers:
            return None
        return 0.0 if outcome.abstained else max(compare(outcome.said, gold) for gold in question.answers)

    return best
