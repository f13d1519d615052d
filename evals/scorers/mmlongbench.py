"""Scores of MMLongBench-Doc (Ma et al., NeurIPS 2024), by the format of the answer.

As in the official evaluation: whole numbers exactly; other numbers within one percent, as a share or a percentage;
texts by ANLS above one half, but links, dates, phone numbers and the like exactly; lists of the same length by the
minimum over their sorted pairs. Accuracy counts an unanswerable question as right when it was not answered. F1
combines recall over the answerable questions and precision over the answered ones.

Officially a model first shortens a long response to its answer: ``--judge short`` does this. An abstention is read as
"Not answerable". Ours: a list given as one text is split at commas, semicolons and "and".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isclose

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Pair, PooledScorer, Scorer
from backtrail.evals.scorers.anls import HALF, likeness
from backtrail.evals.scorers.list_answers import spans_of

NONE = "Not answerable"
_BRACKETED = re.compile(r"(?<!\s)\s*\([^)]{0,500}\)")
_QUOTES = re.compile(r"^['\"]|['\"]$")
_EXACT = re.compile(r"\d+(-\d+|\s\d+)?|\d{4}[-\s]\d{2}([-\s]\d{2})?|[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}")


def mmlongbench_accuracy() -> Scorer:
    """Mean of the official score over all questions."""
    return Scorer("Accuracy", _score)


def mmlongbench_f1() -> PooledScorer:
    """Harmonic mean of the scores over the answerable questions and over the answered ones."""
    return PooledScorer("F1", _score, prepare=_prepared)


def score(gold: str, said: str, kind: str) -> float:
    """Return the official score of one answer; ``kind`` is Int, Float, Str, None or List."""
    if kind == "Int":
        return float(_whole(said) == _whole(gold) is not None)
    if kind == "Float":
        return float(_same_number(clean(gold), clean(said)))
    if kind in ("Str", "None"):
        return _text(clean(gold), clean(said))
    return _list(_parts(gold), spans_of(said, _parts(gold)) if not said.startswith("[") else _parts(said))


def clean(text: str) -> str:
    """Normalise to lower case without parentheses, enclosing quotes, leading dollar or trailing percent."""
    plain = _BRACKETED.sub("", text.lower().strip()).strip()
    plain = _QUOTES.sub("", plain).strip()
    return plain.lstrip("$").strip().rstrip("%").strip()


def _score(question: Question, outcome: Outcome) -> float | None:
    kind = question.tags.get("format")
    if not kind:
        return None
    gold = question.tags.get("official") or (question.answers[0] if question.answers else NONE)
    return score(str(gold), said(outcome), str(kind))


def said(outcome: Outcome) -> str:
    """Return the answer as the official evaluation reads it."""
    return NONE if outcome.abstained else outcome.said


def _prepared(pairs: Sequence[Pair]) -> Callable[[Sequence[Pair]], float]:
    """Score each pair once: lists and long texts are slow to compare, and an interval takes 1,000 draws."""
    return partial(_pooled, {question.id: _score(question, outcome) or 0.0 for question, outcome in pairs})


def _pooled(scores: Mapping[str, float], pairs: Sequence[Pair]) -> float:
    answered = sum(outcome.error is None and said(outcome) != NONE for _, outcome in pairs)
    right = sum(scores[question.id] for question, outcome in pairs if question.answers and outcome.error is None)
    if not right or not answered:
        return 0.0
    recall, precision = right / sum(bool(question.answers) for question, _ in pairs), right / answered
    return 2 * recall * precision / (recall + precision)


def _whole(text: str) -> int | None:
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return None


def _same_number(gold: str, said_: str) -> bool:
    try:
        wanted, given = float(gold), float(said_)
    except ValueError:
        return False
    for one in (wanted / 100, wanted, wanted * 100):
        digits = max(min(_digits(given), _digits(one)), 2)
        if isclose(one, given, rel_tol=0.01) or round(given, digits) == round(one, digits):
            return True
    return False


def _digits(number: float) -> int:
    written = str(number)
    return len(written.split(".")[-1]) if "." in written else 3


def _exact(gold: str) -> bool:
    marks = ("https://", "a.m.", "p.m.")
    ends = gold.endswith((".py", "ipynb")) or gold.startswith("page")
    return ends or any(mark in gold for mark in marks) or _EXACT.fullmatch(gold) is not None


def _text(gold: str, said_: str) -> float:
    if _exact(gold):
        return float(gold == said_)
    return _alike(gold, said_)


def _list(gold: Sequence[str], said_: Sequence[str]) -> float:
    if len(gold) != len(said_):
        return 0.0
    if not gold:
        return 1.0
    wanted, given = sorted(map(clean, gold)), sorted(map(clean, said_))
    if _is_number(wanted[0]) or _exact(wanted[0]):
        return float(wanted == given)
    return min(_alike(one, other) for one, other in zip(wanted, given, strict=True))


def _alike(one: str, other: str) -> float:
    """Return ANLS, with a strict threshold of one half, unlike ANLS*."""
    alike = likeness(one, other)
    return alike if alike > HALF else 0.0


def _parts(written: str) -> list[str]:
    """Parse a list as the release writes it, "['a', 'b']"; anything else is a list of one."""
    if not written.startswith("["):
        return [written]
    try:
        read = ast.literal_eval(written)
    except (ValueError, SyntaxError):
        return [written]
    return [str(one) for one in read] if isinstance(read, list) else [written]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
