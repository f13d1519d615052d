"""Rows meant: which line of a table a question identifies by the cells it says.

A number counts only under a header that stands beside it in the question ("256 clients" under "number of clients"), and
each number under a column of its own. What many lines say tells little of which is meant.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backtrail.rules.reader.lookup.dates import DATE, date_texts, dates
from backtrail.rules.reader.lookup.marks import Mark, marked, marks
from backtrail.rules.reader.lookup.meanings import FAMILY, means
from backtrail.rules.reader.lookup.periods import spelled
from backtrail.rules.reader.lookup.question import CODE, Question
from backtrail.rules.reader.lookup.table_view import Line, TableView

# A cell of which the question says a part counts less than one that it says in full.
_PART = 0.3
# Beside a cell that is said in full another is said if it is so to this share: a path may hold a word of any question.
_LEAST_BESIDE_WHOLE = 0.4
# How much more than any other line, in units of a term that no other line says.
LEAST_LEAD = 0.15
_WORDS_AFTER = 3
# A row of which a cell is said in part is meant if it is the nearest of its table in meaning too.
LEAST_NEAR, LEAST_NEAR_LEAD = 0.3, 0.03
# More numbers of a question are not placed: each is tried under several columns.
_MOST_NUMBERS = 6
Number = tuple[str, frozenset[int] | None]
"""A number with the columns that it may stand under; None for any."""


@dataclass(frozen=True)
class Meant:
    """The line that is meant. ``terms``: those of the question it says; ``keys``: its columns that say them."""

    line: Line
    terms: frozenset[str]
    keys: frozenset[int]
    score: float
    lead: float
    is_whole: bool
    is_verbatim: bool


@dataclass(frozen=True)
class _Said:
    by_column: Mapping[int, frozenset[str]]
    over: frozenset[str]

    @property
    def terms(self) -> frozenset[str]:
        return self.over.union(*self.by_column.values())


def line_meant(table: TableView, question: Question) -> Meant | None:
    """The line that says most of the question, if no other says as much."""
    lines = table.lines
    if not lines:
        return None
    may = _columns_of_numbers(table, question)
    asked = {_beginning(term) for term in question.terms} | {code.casefold() for code in question.codes}
    said = [_said(line, question, may) if _may_say(line, asked) else _Said({}, frozenset()) for line in lines]
    often = Counter(term for one in said for term in one.terms)
    most = math.log(1 + len(lines))
    rarity = {term: math.log((1 + len(lines)) / count) / most for term, count in often.items()}
    scores = [_score(line, one, rarity) for line, one in zip(lines, said, strict=True)]
    best = max(range(len(lines)), key=scores.__getitem__)
    other = max((score for place, score in enumerate(scores) if place != best), default=0.0)
    if len(lines) > 1 and not scores[best]:
        return None
    one = said[best]
    keys = _keys(lines[best], one, {place for place, name in enumerate(table.names) if name & question.head})
    whole = any(_is_said(lines[best].cells[column], one.by_column[column], question) for column in keys)
    near, nearness, ahead = table.nearest
    if near == lines[best].row and nearness >= LEAST_NEAR and ahead >= LEAST_NEAR_LEAD:
        whole = whole or any(_heads(lines[best].cells[key], one.by_column[key]) for key in keys)
    text = question.text.casefold()
    verbatim = any(_is_verbatim(lines[best].cells[key], one.by_column[key], text) for key in keys)
    return Meant(lines[best], one.terms, keys, scores[best], scores[best] - other, whole, verbatim)


def _keys(line: Line, said: _Said, asked: set[int]) -> frozenset[int]:
    """The columns whose cells tell the line.

    Where one is said in full, those of which only a word is said tell none, nor do those that are asked for.
    """
    shares = {
        column: len(terms) / max(1, len(marked(line.cells[column])))
        for column, terms in said.by_column.items()
        if terms
    }
    if not any(share >= 1.0 for share in shares.values()):
        return frozenset(shares)
    return frozenset(
        column
        for column, share in shares.items()
        if share >= 1.0 or (share >= _LEAST_BESIDE_WHOLE and column not in asked)
    )


def _is_verbatim(cell: str, said: frozenset[str], text: str) -> bool:
    """Whether a cell stands in the question as it is written, or as the same version or code: "v1.29.2" as 1.29.2."""
    same = len(said) == 1 and marked(cell) == said and any("." in term for term in said)
    return same or re.search(rf"(?<!\w){re.escape(cell.casefold())}(?!\w)", text) is not None


def _is_said(cell: str, said: frozenset[str], question: Question) -> bool:
    """Whether a cell is said in full, or a name or code of it with half of the cell, or at its beginning."""
    own = marked(cell)
    if own <= said or _is_code(said):
        return True
    return bool(said & question.strict) and (2 * len(said) >= len(own) or marks(cell)[0].term in said & question.strict)


def _heads(cell: str, said: frozenset[str]) -> bool:
    """Whether a cell begins or ends with what is said of it: "Halothane with vaporiser", "[LTR] Luxury truffles"."""
    own = marks(cell)
    return bool(own) and bool({own[0].term, own[-1].term} & said)


def _is_code(said: frozenset[str]) -> bool:
    return any(term.startswith((CODE, DATE)) for term in said)


def _may_say(line: Line, asked: set[str]) -> bool:
    """A quick look, so that of a long table few lines are read closely."""
    text = " ".join([line.over, *line.cells.values()]).casefold().replace(",", "")
    return any(term in text for term in asked) or bool(re.search(r"\d[km]\b|celsius|\d[-/.]\d", text))


def _beginning(term: str) -> str:
    """What every form of a word begins with, as far as its stem tells: "gam" of "game" and "gaming"."""
    return term[1:5] if term.startswith("#") else term[: min(4, max(2, len(term) - 1))]


def _columns_of_numbers(table: TableView, question: Question) -> list[Number]:
    """The numbers of the question, each with the columns it may stand under; None for any."""
    found: list[Number] = []
    for place, mark in enumerate(question.marks):
        if mark.is_number and mark.term not in question.denied:
            beside = _beside(question.marks, place)
            named = frozenset(
                column
                for column, name in enumerate(table.names)
                if any(means(word, one) >= FAMILY for word in beside for one in name)
            )
            if named or re.search(
                rf"(?<![\d.]){re.escape(mark.term[1:])}(?![\d])", spelled(question.text).replace(",", "")
            ):
                found.append((mark.term, named or None))  # "two thirds" stands in no cell
    return found[:_MOST_NUMBERS]


def _beside(held: Sequence[Mark], place: int) -> list[str]:
    """Words that tell what a number counts: those right after it, and the one right before."""
    words: list[str] = []
    for mark in held[place + 1 : place + 1 + _WORDS_AFTER]:
        if mark.is_number or not mark.joined:
            break
        words.append(mark.term)
    if place and held[place].joined and not held[place - 1].is_number:
        words.append(held[place - 1].term)
    return words


def _said(line: Line, question: Question, may: list[Number]) -> _Said:
    cells = {column: marked(cell) for column, cell in line.cells.items()}
    words = {column: frozenset(t for t in own & question.terms if t[0] != "#") for column, own in cells.items()}
    for column, own in cells.items() if question.dates else ():
        if same := dates(line.cells[column]) & question.dates:
            words[column] |= same | (question.terms & (own | _date_terms(question)))
    for column in [column for column, cell in line.cells.items() if cell in question.codes]:
        words[column] |= {CODE + line.cells[column]} | (cells[column] & question.terms)
    for term, column in _placed(cells, may):
        words[column] |= {term}
    return _Said(words, frozenset(t for t in marked(line.over) & question.terms))


def _date_terms(question: Question) -> frozenset[str]:
    """Terms of a date that the question spells, which a cell writes otherwise."""
    spelled = " ".join(match.group() for match in date_texts(question.text))
    return marked(spelled)


def _placed(
    cells: Mapping[int, frozenset[str]], may: Sequence[Number], taken: frozenset[int] = frozenset()
) -> list[tuple[str, int]]:
    """As many numbers as can be, each under a column of its own that it may stand under."""
    if not may:
        return []
    (term, columns), rest = may[0], may[1:]
    best: list[tuple[str, int]] = []
    held = [column for column in cells if term in cells[column] and column not in taken]
    for column in [one for one in held if columns is None or one in columns][:3]:
        best = max(best, [(term, column), *_placed(cells, rest, taken | {column})], key=len)
    return best if len(best) == len(may) else max(best, _placed(cells, rest, taken), key=len)


def _score(line: Line, said: _Said, rarity: Mapping[str, float]) -> float:
    words: dict[str, float] = dict.fromkeys(said.over, 1.0)
    numbers: list[float] = []  # the same number under two columns counts twice
    for column, terms in said.by_column.items():
        share = min(1.0, len(terms) / max(1, len(marked(line.cells[column]))))
        for term in terms:
            worth = _PART + (1.0 - _PART) * share
            if term.startswith("#"):
                numbers.append(worth * rarity[term])
            else:
                words[term] = max(words.get(term, 0.0), worth)
    return math.fsum([*numbers, *(rarity[term] * worth for term, worth in words.items())])
