"""EM and F1 over lists of answers, by the rules of MultimodalQA's official evaluation.

Rules from its release (which took them from DROP): a span is split at spaces and hyphens, each piece lower-cased,
without punctuation (unless it is a number), numbers and number words written as floats, articles dropped. EM: the
same set and the same count of spans. F1: the best one-to-one assignment of gold and predicted spans, each pair scored
as sets of words, 0 where the gold span has numbers and none of them is predicted; the mean over the longer list,
rounded to two digits.

Methods answer in one text. Where the gold is a list, that text is split at commas, semicolons and "and" (ours),
but not within "1,234".
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence

import numpy as np

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.language import vocabulary
from backtrail.tools.errors import DependencyMissing

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = frozenset(string.punctuation)
_SEPARATORS = re.compile(r"(?:(?<!\s)\s+)?(?:;|,(?!(?<=\d,)\d{3}(?!\d))|\band\b)\s*(?:and\s+)?", re.IGNORECASE)
_LINES = re.compile(r"[;|\n]")
NUMBER_WORDS = vocabulary.NUMBER_WORDS | {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}


def list_exact_match() -> Scorer:
    """1 when the predicted spans are the gold spans, else 0."""
    return Scorer("list EM", _scored(exact))


def list_f1() -> Scorer:
    """Mean F1 of the best assignment of predicted and gold spans."""
    return Scorer("list F1", _scored(f1))


def exact(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """1 when both lists have the same normalised spans and the same length."""
    own, wanted = [normalised(span) for span in predicted], [normalised(span) for span in gold]
    return float(set(own) == set(wanted) and len(own) == len(wanted))


def f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """Mean F1 of the best one-to-one assignment, over the longer list, rounded to two digits (release)."""
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        raise DependencyMissing("scipy", "evals") from None
    own = [frozenset(normalised(span).split()) for span in predicted]
    wanted = [frozenset(normalised(span).split()) for span in gold]
    if not own or not wanted:
        return float(not own and not wanted)
    pairs = np.array([[_bag_f1(bag, other) if _numbers_agree(bag, other) else 0.0 for other in own] for bag in wanted])
    rows, columns = linear_sum_assignment(-pairs)
    return round(float(pairs[rows, columns].sum()) / max(len(own), len(wanted)), 2)


def normalised(text: str) -> str:
    """Normalise a span for comparison."""
    pieces = (_piece(token) for token in re.split(" |-", text))
    return " ".join(piece for piece in pieces if piece)


def spans_of(answer: str, gold: Sequence[str]) -> list[str]:
    """Return the spans of an answer: the text itself, or its parts where the gold is a list."""
    if len(gold) < 2:
        return [answer]
    return [part for part in _SEPARATORS.split(answer) if part.strip()] or [answer]


def splits_of(answer: str, gold: Sequence[str]) -> list[list[str]]:
    """Return the ways to read an answer as a list: at semicolons and line breaks, or as ``spans_of`` does."""
    if len(gold) < 2:
        return [[answer]]
    return [[part.strip() for part in _LINES.split(answer) if part.strip()], spans_of(answer, gold)]


def _piece(token: str) -> str:
    token = token.lower()
    if not _is_number(token):
        token = "".join(character for character in token if character not in _PUNCTUATION)
    if _is_number(token):
        token = str(float(token))
    elif token in NUMBER_WORDS:
        token = str(float(NUMBER_WORDS[token]))
    return " ".join(_ARTICLES.sub(" ", token).split())


def _is_number(token: str) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return True


def _bag_f1(gold: frozenset[str], said: frozenset[str]) -> float:
    common = len(gold & said)
    precision = common / len(said) if said else 1.0
    recall = common / len(gold) if gold else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _numbers_agree(gold: frozenset[str], said: frozenset[str]) -> bool:
    numbers = {word for word in gold if _is_number(word)}
    return not numbers or bool(numbers & said)


def _scored(compare: Callable[[Sequence[str], Sequence[str]], float]) -> Callable[[Question, Outcome], float | None]:
    def score(question: Question, outcome: Outcome) -> float | None:
        gold: list[str] = question.tags.get("answer_list") or list(question.answers[:1])
        if not gold:
            return None
        return 0.0 if outcome.abstained else compare(spans_of(outcome.said, gold), gold)

    return score
