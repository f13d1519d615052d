"""Exact match and F1 of TAT-QA (Zhu et al., ACL 2021), with the scale of the answer.

As in the official evaluation: a number counts with its scale (thousand, million, billion, percent), after rounding to
two digits of that scale; several spans are compared as one text, in alphabetical order; F1 is over sets of words,
and that of an arithmetic answer or a count is its exact match.

Ours: methods answer in one text, so the scale is read from it ("-12.6 million", "22.2 %"), and where the gold is
a list it is split at semicolons, commas and "and".
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.list_answers import splits_of
from backtrail.tools.tables.cell_values import quantity

SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "percent": 0.01}
_PERCENT = ("%", "percent")
_MONEY = frozenset({"", "$", "US$", "€", "£", "¥", "USD", "EUR", "GBP", "JPY", "dollars"})
_SCALE_WORD = re.compile(r"(?<=[\d)])\s*\(?\b(?:in )?(thousand|million|billion)s?\b\)?", re.IGNORECASE)
_LOSS = re.compile(r"\(([^()]*\d)\) (thousand|million|billion)\b", re.IGNORECASE)
"""A negative number as accounts write it, with its scale: "(1.6) million"."""
_ARTICLES = frozenset({"a", "an", "the"})
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def tatqa_em() -> Scorer:
    """1 when the answer is the gold, its scale included."""
    return Scorer("EM", tatqa_match)


def tatqa_f1() -> Scorer:
    """Harmonic mean of precision and recall over the words of the answer."""
    return Scorer("F1", _scored(lambda said, gold, scale, kind: em_and_f1(said, gold, scale, kind)[1]))


def tatqa_em_without_scale() -> Scorer:
    """1 when the answer is the gold, or is its number without the scale."""

    def either(said: str, gold: Sequence[str], scale: str, kind: str) -> float:
        return max(em_and_f1(said, gold, one, kind)[0] for one in (scale, ""))

    return Scorer("EM, any scale", _scored(either))


def tatqa_match(question: Question, outcome: Outcome) -> float | None:
    """Return the exact match; None without gold answers."""
    return _scored(lambda said, gold, scale, kind: em_and_f1(said, gold, scale, kind)[0])(question, outcome)


def em_and_f1(said: str, gold: Sequence[str], scale: str, kind: str) -> tuple[float, float]:
    """Return exact match and F1 of one answer.

    Args:
        scale: of the gold: thousand, million, billion, percent or "".
        kind: span, multi-span, arithmetic or count.
    """
    wanted = _words([_gold(one, scale) for one in gold])
    plain = _LOSS.sub(r"(\1 \2)", _SCALE_WORD.sub(r" \1", said))
    ways = [_words([_said(span, scale) for span in spans]) for spans in splits_of(plain, gold)]
    exact = float(wanted in ways)
    return exact, exact if kind in ("arithmetic", "count") else max(_f1(set(own), set(wanted)) for own in ways)


def _gold(text: str, scale: str) -> str:
    number, percent = _number(text)
    if number is None:
        return f"{text} {scale}".strip()
    return _written(number / 100 if percent else number, 1 if percent else SCALES.get(scale, 1), in_scale=not percent)


def _said(text: str, scale: str) -> str:
    number, percent = _number(text)
    if number is None:
        return text
    factor = SCALES.get(scale, 1)
    return _written((number / 100 if percent else number) / factor, factor, in_scale=not percent or scale == "percent")


def _written(number: float, factor: float, *, in_scale: bool) -> str:
    return f"{(round(number, 2) if in_scale else number) * factor:.4f}"


def _number(text: str) -> tuple[float | None, bool]:
    """Return the number that a text is, and whether it is a percentage."""
    read = quantity(text)
    if read is None or read.unit not in (*_MONEY, *_PERCENT):
        return None, False
    return read.number, read.unit in _PERCENT


def _words(spans: Sequence[str]) -> list[str]:
    words = " ".join(sorted(spans)).lower().split()
    plain = (word if _is_number(word) else word.translate(_PUNCTUATION) for word in words)
    return [word for word in plain if word and word not in _ARTICLES]


def _f1(own: set[str], wanted: set[str]) -> float:
    return round(2 * len(own & wanted) / (len(own) + len(wanted)), 2) if own and wanted else 0.0


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _scored(
    compare: Callable[[str, Sequence[str], str, str], float],
) -> Callable[[Question, Outcome], float | None]:
    def score(question: Question, outcome: Outcome) -> float | None:
        gold: list[str] = question.tags.get("answer_list") or list(question.answers[:1])
        if not gold:
            return None
        scale, kind = str(question.tags.get("scale", "")), str(question.tags.get("type", "span"))
        return 0.0 if outcome.abstained else compare(outcome.said, gold, scale, kind)

    return score
