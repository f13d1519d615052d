"""Rows: what all rows of one table answer together: how many there are, which is the cheapest, which are free.

They are answered only where every word of the question is told from the table: the things it lists, the column that is
compared, the cells that the rows have to hold. The answer is counted or compared, never guessed. English only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.columns import measure, moment
from backtrail.rules.reader.labels import is_labelled
from backtrail.rules.reader.lookup.comparing import Compared, compared, is_none
from backtrail.rules.reader.measures import is_bare, unit_of_column
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText

# Readers see so many rows of a table: of one that may have more nothing can be counted.
MOST_ROWS = 199
LEAST_ROWS = 2
# A list of more is no short answer.
MOST_LISTED = 12
ROWS_CITED = 5
# Nearly all cells of a column that is compared hold a measure.
MEASURED_SHARE = 0.9
_COUNT = re.compile(
    r"^\W*how\s+many\s+(?P<noun>[\w’'-]+(?:\s+[\w’'-]+)?)\s+(?:are|is|were|was|do|does|did|have|has|can|there)\b", re.I
)
_WHICH = re.compile(r"^\W*(?:which|what)\s+(?P<noun>[\w’'-]+s)\s+(?:are|were|do|does|did|have|has|can|is|was)\b", re.I)
_EXTREME = re.compile(r"^\W*(?:which|what|who)\b", re.I)
_SAYS_NOTHING = content_terms(
    "list table total altogether available currently offered listed entry entries row rows here"
)
_STOCK = re.compile(r"\b(?:out of|not (?:in|on)|no longer (?:in|on)|no) (?:stock|store|hand)\b|\bsold out\b", re.I)
_STOCKED = content_terms("stock store hand quantity available")
_TOTAL = re.compile(r"\W*(?:total|sum|average|mean|all|overall|subtotal)\b", re.I)


@dataclass(frozen=True)
class Counted:
    """What the rows of a table answer."""

    short: str
    text: str
    item: EvidenceText
    rows: list[int]

    @property
    def citations(self) -> list[CitedPiece]:
        """The first of the rows."""
        return [CitedPiece(component=self.item.id, row=row) for row in self.rows[:ROWS_CITED]]


def over_rows(inputs: AnswerInputs, shape: QuestionShape) -> Counted | None:
    """What the rows of one table say together; None where no table, or more than one, is plainly asked about."""
    tables = [item for item in inputs.evidence if item.header and LEAST_ROWS <= len(item.rows) <= MOST_ROWS]
    found = [read for item in tables if not is_labelled(item) and (read := _read(_Table(item), shape))]
    return found[0] if len({one.text for one in found}) == 1 else None


class _Table:
    """A table with the terms of its parts."""

    def __init__(self, item: EvidenceText) -> None:
        self.item = item
        self.header = [content_terms(title) for title in item.header]
        self.over = content_terms(f"{item.title} {item.section}")
        self.rows = [
            place for place, row in enumerate(item.rows) if row and row[0].strip() and not _TOTAL.match(row[0])
        ]

    def cell(self, row: int, column: int) -> str:
        cells = self.item.rows[row]
        return " ".join(cells[column].split()) if column < len(cells) else ""

    def named(self, noun: frozenset[str]) -> bool:
        """Whether a noun names what the rows are, as the first column does."""
        return bool(noun) and noun <= self.header[0]


def _read(table: _Table, shape: QuestionShape) -> Counted | None:
    text = shape.text
    if column := compared(text, table.item.header):
        return _extreme(table, shape, column) if _EXTREME.match(text) else None
    asked = _COUNT.match(text) or _WHICH.match(text)
    if asked is None:
        return None
    words = asked["noun"].split()
    nouns = [content_terms(asked["noun"]), content_terms(words[-1])]
    noun = next((one for one in nouns if table.named(one)), frozenset[str]())
    if not noun:
        return None
    rows, used = _meeting(table, shape)
    left = shape.terms - noun - used - table.over - _SAYS_NOTHING
    if left or not rows or (not used and _WHICH.match(text)):
        return None
    labels = [table.cell(row, 0) for row in rows]
    listed = "; ".join(labels)
    if _COUNT.match(text):
        told = f"{len(rows)} ({listed})" if len(rows) <= MOST_LISTED else str(len(rows))
        return Counted(str(len(rows)), told, table.item, rows)
    return Counted(listed, listed, table.item, rows) if len(rows) <= MOST_LISTED else None


def _meeting(table: _Table, shape: QuestionShape) -> tuple[list[int], frozenset[str]]:
    """The rows that hold what the question says of them, and the words that say so; all where it says nothing."""
    if (said := _STOCK.search(shape.text)) and (column := _only(table, _STOCKED)) is not None:
        rows = [row for row in table.rows if is_none(table.cell(row, column))]
        return rows, content_terms(said.group()) | table.header[column]
    held = [_Held(table, column, shape) for column in range(1, len(table.header))]
    matched = [one for one in held if one.rows]
    named = [one for one in matched if one.named]
    if not named and len(matched) > 1:  # nothing tells which column is meant
        return [], frozenset()
    rows, used = table.rows, frozenset[str]()
    for one in [*named, *(one for one in matched if not one.named)]:
        if one.terms - used:
            rows = [row for row in rows if row in one.rows]
            used |= one.terms | one.header
    return rows, used


class _Held:
    """The rows of a column whose cells the question says in full, and its words for them."""

    def __init__(self, table: _Table, column: int, shape: QuestionShape) -> None:
        title = table.header[column]
        self.header = title | _doing(title)
        self.named = bool(self.header & shape.terms)
        held = {row: content_terms(table.cell(row, column)) for row in table.rows}
        meant = {terms for terms in held.values() if terms and terms <= shape.terms and not terms <= table.header[0]}
        whole = {terms for terms in meant if not any(terms < other for other in meant)}
        self.rows = frozenset(row for row, terms in held.items() if terms in whole)
        self.terms = frozenset[str]().union(*whole)


def _doing(header: frozenset[str]) -> frozenset[str]:
    """Words that say with a verb what a column says with a noun: "led by" for "Leader"."""
    return frozenset[str]().union(*(doing for doing in _DOERS if doing & header))


_DOERS = tuple(
    content_terms(line)
    for line in (
        "leader lead leads led", "keeper keep keeps kept", "teacher teach teaches taught", "holder hold holds held",
        "driver drive drives drove driven", "manager manage manages managed", "supplier supply supplies supplied",
        "owner own owns owned", "author write writes wrote written", "maker make makes made manufacturer manufactured",
        "trainer train trains trained", "tenant rent rents rented", "organiser organizer organise organised organized",
        "responsible charge", "status state condition", "location place located", "month year date takes",
    )
)  # fmt: skip


def _only(table: _Table, words: frozenset[str]) -> int | None:
    named = [column for column, header in enumerate(table.header) if header & words]
    return named[0] if len(named) == 1 else None


def _extreme(table: _Table, shape: QuestionShape, asked: Compared) -> Counted | None:
    """The thing whose row has the greatest or least of a column."""
    parse = moment if asked.timely else measure
    meeting, used = _meeting(table, shape)
    values = {row: value for row in meeting if (value := parse(table.cell(row, asked.column))) is not None}
    if len(values) < LEAST_ROWS or len(values) < MEASURED_SHARE * len(meeting):
        return None
    best = (max if asked.direction > 0 else min)(values.values())
    rows = [row for row, value in values.items() if value == best]
    thing = next((column for column, header in enumerate(table.header) if header & shape.heads), 0)
    left = (
        shape.terms - asked.terms - table.header[asked.column] - table.header[thing] - used - table.over - _SAYS_NOTHING
    )
    if left or len(rows) > 1 or thing == asked.column or not table.header[thing] & shape.terms:
        return None
    short, value = table.cell(rows[0], thing), table.cell(rows[0], asked.column)
    unit = unit_of_column(table.item.header[asked.column])
    told = f"{value} {unit}" if unit and is_bare(value) else value
    return Counted(short, f"{short} ({told})", table.item, rows)
