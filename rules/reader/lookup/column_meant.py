"""Column meant: which column of a line holds what is asked for, told by its name and by the kind of its cells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from backtrail.language.spans import spans
from backtrail.language.vocabulary import MONTHS
from backtrail.rules.reader.candidates import CELL_CHARACTERS, TYPED, cell_fit
from backtrail.rules.reader.lookup.dates import dates
from backtrail.rules.reader.lookup.marks import marked
from backtrail.rules.reader.lookup.meanings import means
from backtrail.rules.reader.lookup.question import Question
from backtrail.rules.reader.lookup.rows_meant import Meant
from backtrail.rules.reader.lookup.table_view import TableView
from backtrail.rules.reader.measures import counts, may_be_measured, measured_in

# A column is meant if its name says what is asked, or as much beside it, and more of it than any other.
LEAST_NAMED, LEAST_NAMED_LEAD = 0.35, 0.2
# A word of the question that does not ask for the answer tells less of its column.
_BESIDE = 0.5
# What a name says that the question does not, for each word.
_UNSAID = 0.02
_DAY = re.compile(rf"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|{'|'.join(MONTHS)})\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_WORDY = re.compile(r"\w")
_TIMES = marked("date day year time month")
# What something means is told in a sentence or two.
MEANING_CHARACTERS = 300
MEANING = marked("meaning")
_TELLS_PERIOD = re.compile(r"[qh][1-4]|#.+")
_NUMBERED = ("number", "date", "year", "manner")


@dataclass(frozen=True)
class Asked:
    """The column that is asked for. ``said``: terms of the question its name says; ``lead``: before any other.

    ``sure``: less than 1 where something else than its name tells it.
    """

    column: int
    said: frozenset[str]
    score: float
    lead: float
    sure: float = 1.0


def column_meant(table: TableView, meant: Meant, question: Question) -> Asked | None:
    """The column that is named like what is asked and holds a cell of that kind, if one is more than the others."""
    scored = scored_columns(table, meant, question)
    if question.asks_meaning and len(scored) == 1:  # what else the row says
        return Asked(scored[0][2], scored[0][1], 1.0, 1.0)
    if not scored:
        return None
    score, said, column = max(scored, key=lambda one: (one[0], -one[2]))
    other = max((one[0] for one in scored if one[2] != column), default=0.0)
    name = table.names[column] if column < len(table.names) else frozenset[str]()
    if question.shape.kind in ("date", "year") and not _says_which(name, said):
        return None
    if names_other(table, meant, column, question.clause - meant.terms - said):
        return None
    return Asked(column, said, score, score - other) if score > 0 else None


def scored_columns(table: TableView, meant: Meant, question: Question) -> list[tuple[float, frozenset[str], int]]:
    """The columns of a line that may answer, each with what of the question its name says, and how much that is."""
    left = question.clause - meant.terms
    if question.asks_meaning:
        left |= MEANING
    return [
        (*_score(table.names[column] if column < len(table.names) else frozenset(), left, question), column)
        for column in (column for column in meant.line.cells if column not in meant.keys)
        if may_answer(meant.line.cells[column], table.header[column] if column < len(table.header) else "", question)
    ]


def names_other(table: TableView, meant: Meant, column: int, left: frozenset[str]) -> bool:
    """Whether a number or a quarter of the question names another column: "Q3" is not asked of "Q1 FY24"."""
    others = [name for place, name in enumerate(table.names) if place != column and place not in meant.keys]
    own = table.over | meant.terms
    return any(
        _TELLS_PERIOD.fullmatch(term) and term not in own and any(term in name for name in others) for term in left
    )


def _says_which(name: frozenset[str], said: frozenset[str]) -> bool:
    """Whether a date is the one that is asked for: "Year appointed" is not when somebody came."""
    return all(one in _TIMES or any(means(term, one) for term in said) for one in name)


def _score(name: Iterable[str], left: frozenset[str], question: Question) -> tuple[float, frozenset[str]]:
    name = frozenset(name)
    total, said = 0.0, set[str]()
    for term in sorted(left):
        best = max((means(term, one) for one in name), default=0.0)
        if best:
            said.add(term)
            total += best * (1.0 if term in question.asked else _BESIDE)
    unsaid = sum(not any(means(term, one) for term in said) for one in name)
    return total - _UNSAID * unsaid if total else 0.0, frozenset(said)


def may_answer(cell: str, name: str, question: Question, *, is_named: bool = False) -> bool:
    """Whether a cell can be of the kind that is asked for; ``is_named``: its label leaves no doubt of that."""
    most = MEANING_CHARACTERS if question.asks_meaning else CELL_CHARACTERS
    if not _WORDY.search(cell) or len(cell) > most:
        return False
    if (own := marked(cell)) <= question.terms and (own or not cell.isupper()):  # "US" is no "us"
        return False
    shape = question.shape
    if shape.kind in _NUMBERED and not _DIGIT.search(cell):
        return shape.kind == "date" and _DAY.search(cell) is not None
    if shape.kind == "number" and dates(cell):
        return False
    if shape.kind == "person" and any(span.kind in TYPED and span.text == cell for span in spans(cell)):
        return False
    if (
        shape.kind in ("date", "year")
        and not is_named
        and cell_fit(cell, shape) <= 0.0
        and not re.search(r"\d[-/.:]\d", cell)
        and not _DAY.search(cell)
    ):
        return False
    return may_be_measured(cell, name, measured_in(shape), count=counts(shape))
