"""Denotation match of WikiTableQuestions (Pasupat and Liang, ACL 2015).

An answer is a set of values. It is right when it has as many as the gold and each gold value is among them. Two values
are the same when their normalised texts are, or their numbers, or their dates. Normalised: without diacritics, case,
reference marks, details in parentheses at the end, outer quotation marks, a final full stop; one kind of quotation
mark and dash.

Ours: numbers and dates are read as tables read theirs ("2,004", "5 March 2014"), where the official evaluation has
values that another tool read; and where the gold has several values, an answer in one text is split at semicolons and
line breaks, or else at commas and "and".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.list_answers import splits_of
from backtrail.tools.tables.cell_values import calendar_date, quantity

_QUOTES = str.maketrans({**dict.fromkeys("‘’´`", "'"), **dict.fromkeys("“”", '"'), **dict.fromkeys("‐‑‒–—−", "-")})
_MARKS = re.compile(r"(?:(?<!^)\[[^\]]{0,200}\]|\[\d{1,4}\]|[•♦†‡*#+]){1,20}$")
_DETAILS = re.compile(r"(?<!^)(?: \([^)]*\))+$")
_QUOTED = re.compile(r'^"([^"]*)"$')
_PARTIAL = re.compile(r"(\d+|x+)-(\d\d?|xx)-(\d\d?|xx)")

Value = tuple[str, object]
"""Kind (text, number or date) and what is compared."""


def denotation() -> Scorer:
    """1 when the answer is the gold set of values."""
    return Scorer("Denotation", denotation_match)


def denotation_match(question: Question, outcome: Outcome) -> float | None:
    """Return 1 or 0; None without gold answers."""
    gold: list[str] = question.tags.get("answer_list") or list(question.answers[:1])
    if not gold:
        return None
    return 0.0 if outcome.abstained else same_denotation(outcome.said, gold)


def same_denotation(said: str, gold: Sequence[str]) -> float:
    """Return 1 when one way of splitting the answer gives the gold values."""
    return float(any(_agree(parts, gold) for parts in splits_of(said, gold)))


def normalised(text: str) -> str:
    """Normalise a text as the official evaluation does."""
    text = "".join(one for one in unicodedata.normalize("NFKD", text) if unicodedata.category(one) != "Mn")
    text, before = text.translate(_QUOTES).strip(), None
    while text != before:
        before = text
        text = _DETAILS.sub("", _MARKS.sub("", text).strip()).strip()
        text = _QUOTED.sub(r"\1", text).strip()
    return " ".join(text.removesuffix(".").casefold().split())


def _agree(said: Sequence[str], gold: Sequence[str]) -> bool:
    own, wanted = [_readings(one) for one in said], [_readings(one) for one in gold]
    distinct = [len({min(one) for one in values}) for values in (own, wanted)]
    return distinct[0] == distinct[1] and all(any(one & other for other in own) for one in wanted)


def _readings(text: str) -> frozenset[Value]:
    """Return what a text can be compared by: itself, and its number or date."""
    plain = normalised(text)
    number, date = quantity(plain), _date(plain)
    found: list[Value] = [("text", plain)]
    if number and not number.unit:
        found.append(("number", round(number.number, 6)))
    elif date:
        found.append(("date", date))
    return frozenset(found)


def _date(text: str) -> tuple[str, ...] | None:
    """Return year, month and day; unknown ones are "x"."""
    if match := _PARTIAL.fullmatch(text):
        return tuple(part.strip("x").lstrip("0") or "x" for part in match.groups())
    read = calendar_date(text) if len(re.findall(r"\d+", text)) > 1 else None
    return (str(read.year), str(read.month), str(read.day)) if read else None
