"""Column likely: the column that a question means though no name says so, or several do alike.

Of columns that say the same of the question small words tell which is meant ("yes"), or the total is: nothing tells any
part of it. Elsewhere the kind of the cells tells the column, if only one of the row can be what is asked: the one
price, the one date, the only other cell.
"""

from __future__ import annotations

import re
from dataclasses import replace

from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import kind_of_noun
from backtrail.rules.reader.candidates import SUITS, cell_fit
from backtrail.rules.reader.lookup.column_meant import (
    LEAST_NAMED,
    LEAST_NAMED_LEAD,
    Asked,
    names_other,
    scored_columns,
)
from backtrail.rules.reader.lookup.dates import dates
from backtrail.rules.reader.lookup.marks import marked
from backtrail.rules.reader.lookup.meanings import FAMILY, means
from backtrail.rules.reader.lookup.question import Question
from backtrail.rules.reader.lookup.rows_meant import Meant
from backtrail.rules.reader.lookup.table_view import TableView
from backtrail.rules.reader.measures import dimension, measured_in

# How surely a column is meant whose name is all said, whose own words the question says, that is the total, that is
# written as what is asked, that is headed with the kind, that alone is of its kind, that is the only other one (ours).
CROSSED, SAID, TOTAL, WRITTEN, HEADED, OF_KIND, ONLY = 0.65, 0.8, 0.7, 0.7, 0.7, 0.5, 0.6
# A single word of a question may be any column's name.
LEAST_CROSSED = 2
_VALUE = marked("value")
_TOTAL = frozenset(
    ["total", "totals", "all", "overall", "both", "combined", "person", "persons", "altogether", "sum", "aggregate"]
)
# They stand in most questions, and tell no column.
_SAYS_NOTHING = frozenset(["a", "an", "and", "by", "did", "do", "does", "is", "of", "per", "the", "to", "was", "were"])
_WORD = re.compile(r"[^\W\d_]+|%")
Scored = tuple[float, frozenset[str], int]
_MONEY = content_terms("price cost pay paid fee fine penalty charge salary wage spend spent worth expensive bill")
_CURRENCY = re.compile(r"[$£€¥₹]|\b(?:USD|EUR|GBP|CHF|SEK|Rs)\b")
_DURATION = re.compile(r"\W*\d")
_FULL_NAME = re.compile(r"[^\W\d_a-z][\w’'.-]*(?:\s+(?:[a-z]{2,3}\s+)?[^\W\d_a-z][\w’'.-]*){1,3}")
_NAMED = ("person", "place", "date", "year", "organisation", "nationality")
_NAMES = ("person", "place", "organisation", "nationality")
_PERCENT = re.compile(r"\d\s*%|\bper\s?cent\b")
_SHARE = content_terms("percent percentage share proportion portion fraction rate")
_VERSION = re.compile(r"[vV]?\d+(?:\.\d+)+[\w.+-]*")
_RELEASE = content_terms("version release")
_HEADED_MONEY = re.compile(r"[$£€¥₹]|\b(?:price|cost|fee|fine|amount|USD|EUR|GBP|CHF)\b", re.IGNORECASE)


def column_likely(table: TableView, meant: Meant, question: Question) -> Asked | None:
    """The column that is likely meant, with how surely; None where a number of the question names another."""
    found = _likely(table, meant, question)
    if found is None or names_other(table, meant, found.column, question.clause - meant.terms - found.said):
        return None
    return found


def crossed(table: TableView, asked: Asked) -> Asked | None:
    """The column whose whole name the question says, though that names not what it asks for: where both meet.

    "Which addresses does the router hand out by DHCP?" is asked of the row DHCP and the column Router.
    """
    name = table.names[asked.column] if asked.column < len(table.names) else frozenset[str]()
    whole = bool(name) and all(any(means(term, one) >= FAMILY for term in asked.said) for one in name)
    return replace(asked, sure=CROSSED) if whole and len(asked.said) >= LEAST_CROSSED else None


def _likely(table: TableView, meant: Meant, question: Question) -> Asked | None:
    scored = scored_columns(table, meant, question)
    if not scored or question.asks_meaning:
        return None
    best = max(score for score, _, _ in scored)
    if best >= LEAST_NAMED:
        return _of_alike(table, question, [one for one in scored if one[0] > best - LEAST_NAMED_LEAD])
    told = (
        (WRITTEN, question.head, _written(meant, question, scored)),
        (HEADED, frozenset[str](), _headed(table, question, scored)),
        (OF_KIND, frozenset[str](), _of_kind(table, meant, question, scored)),
        (ONLY, frozenset[str](), _only(table, meant, question, scored)),
    )
    return next((Asked(found[0], said, 0.0, 0.0, sure) for sure, said, found in told if len(found) == 1), None)


def _headed(table: TableView, question: Question, scored: list[Scored]) -> list[int]:
    """The columns headed with a noun of the kind that is asked for: "where" with "Place"."""
    kind = question.shape.kind
    columns = [column for _, _, column in scored if column < len(table.header)] if kind in _NAMED else []
    return [column for column in columns if kind in map(kind_of_noun, _words(table.header[column]))]


def _only(table: TableView, meant: Meant, question: Question, scored: list[Scored]) -> list[int]:
    """The columns that are named as values; the only other one of a row of two cells, if it may be what is asked."""
    named = [column for _, _, column in scored if column < len(table.names) and table.names[column] == _VALUE]
    if named or len(meant.line.cells) != 2 or min(meant.keys, default=None) != min(meant.line.cells):
        return named
    shape = question.shape
    columns = [column for _, _, column in scored]
    return [one for one in columns if shape.kind not in _NAMES or cell_fit(meant.line.cells[one], shape) >= SUITS]


def _of_alike(table: TableView, question: Question, tied: list[Scored]) -> Asked | None:
    """Of columns named alike the one whose own words the question says too, else the total, else the plain one.

    Here words count that are no content elsewhere: "yes" and "no", "before" and "after".
    """
    names = {column: _words(table.header[column]) for _, _, column in tied if column < len(table.header)}
    if len(names) < 2:
        return None
    shared = frozenset[str].intersection(*names.values())
    own = {column: name - shared for column, name in names.items()}
    asked = _words(question.shape.text)
    most = max(len(name & asked) for name in own.values())
    if most:
        found, sure = [column for column, name in own.items() if len(name & asked) == most], SAID
    else:
        found, sure = [column for column, name in own.items() if name and name <= _TOTAL], TOTAL
        found = found or [column for column, name in own.items() if not name]
    if len(found) != 1:
        return None
    score, said, column = next(one for one in tied if one[2] == found[0])
    return Asked(column, said, score, score, sure)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - _SAYS_NOTHING


def _written(meant: Meant, question: Question, scored: list[Scored]) -> list[int]:
    """The columns whose cell begins with what is asked for: "which Go" with "go1.23"."""
    found: list[int] = []
    for _, _, column in scored:
        begins = re.match(r"([^\W\d_]+)[\s-]?v?\d", meant.line.cells[column])
        if begins and marked(begins[1]) & question.head:
            found.append(column)
    return found


def _of_kind(table: TableView, meant: Meant, question: Question, scored: list[Scored]) -> list[int]:
    """The columns whose cells are of the kind that is asked for; none where a question asks for no plain kind."""
    columns = {column: meant.line.cells[column] for _, _, column in scored}
    words = content_terms(question.shape.text)
    if question.shape.kind in ("date", "year"):
        return [column for column, cell in columns.items() if dates(cell)]
    if words & _MONEY:
        names = {column: table.header[column] if column < len(table.header) else "" for column in columns}
        return [
            column for column, cell in columns.items() if _CURRENCY.search(cell) or _HEADED_MONEY.search(names[column])
        ]
    if measured_in(question.shape) & {"time"}:
        return [column for column, cell in columns.items() if _DURATION.match(cell) and dimension(cell) == "time"]
    if question.shape.kind == "person":
        return [column for column, cell in columns.items() if _FULL_NAME.fullmatch(cell)]
    if (question.head | question.asked) & _SHARE:
        return [column for column, cell in columns.items() if _PERCENT.search(cell)]
    if question.head & _RELEASE:
        return [column for column, cell in columns.items() if _VERSION.fullmatch(cell)]
    return []
