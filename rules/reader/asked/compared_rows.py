"""Compared rows: which row of a table is the oldest, the tallest, the second highest of those that are meant.

What is compared stands in a column ("the highest score", "the tallest" under "Height"), or, of lives, in the pages that
the rows lead to: "the youngest gold medallist" is the one born last of the rows with "Gold". English only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import words
from backtrail.language.vocabulary import ORDINALS, SUPERLATIVES
from backtrail.rules.reader.columns import measure, moment
from backtrail.rules.reader.lookup.comparing import SUPERLATIVE_NOUNS, compared
from backtrail.rules.reader.support import Piece, group_of, linking_row
from backtrail.state.answer_decisions import EvidenceText

_Key = TypeVar("_Key", bound=Hashable)
# The end of the dates of birth that is meant.
_BY_BIRTH = {"oldest": -1, "eldest": -1, "older": -1, "elder": -1, "youngest": 1, "younger": 1}
_BORN = re.compile(r"\bborn (?P<way>first|last|earliest|latest|before|after)\b", re.IGNORECASE)
# "the oldest club in Albania": of what is founded no life is told.
_OF_LIVES = re.compile(
    r"\b(?:person|people|politicians?|(?!number|order|paper|river|tower|theater|water)\w{2,}(?:er|or|ist|man|men|woman|women"
    r"|ian)s?|guests?|wife|nominees?|fellows?|athletes?|actress\w*|stars?)\b",
    re.IGNORECASE,
)
_NOUN_ENDS = re.compile(r"\b(?:of|in|at|on|from|with|who|whose|that|which|to|by|for)\b", re.IGNORECASE)
# The first sentence about somebody says when they were born: "(born 12 October 1937)", "(1934 – 2012)".
_LIFE = re.compile(
    r"\bborn[^().;]{0,40}?(?P<born>(?:\d{1,2} \w+|\w+ \d{1,2} ?,) ?\d{4}|\b\d{4})"
    r"|\([^()]*?(?P<from>(?:\d{1,2} \w+ |\w+ \d{1,2} ?, )?\d{4})\s*[–—-][^()]*?\d{4}"
)
_PLACED = re.compile(r"\b(?P<word>\w+|\d+(?:st|nd|rd|th))[- ](?:most )?$")
_HEIGHT = re.compile(r"(\d) ?(?:ft|['’′-]|foot|feet) ?(\d{1,2})\b")
# Of so many of the rows that are meant there has to be something to compare.
_KNOWN_SHARE = 0.5
# "The younger guest on the most recent episode" compares lives in a row that is itself compared: that is not told.
_OF_TIME = re.compile(r"\b(?:recent|latest|earliest)\b", re.IGNORECASE)
# More competing rows than this are no longer told by their pages.
_MOST_ROWS = 199


class ComparedRows:
    """The rows of one question's evidence that its superlative means; nothing where it compares nothing."""

    def __init__(self, evidence: Sequence[EvidenceText], shape: QuestionShape) -> None:
        self._by_id = {item.id: item for item in evidence}
        self._asked = f" {' '.join(words(shape.text.casefold()))} "
        self._of_life: dict[str, dict[str | int, float]] = {}
        self._of_column: dict[str, dict[int, float]] = {}
        if not reads_comparison(shape.text):
            return
        end = _by_birth(shape.text)
        if end and _OF_TIME.search(shape.text):
            return
        born = _births(evidence, self._by_id) if end else {}
        said = _extremes(shape.text)
        for item in evidence:
            if not 1 < len(item.rows) <= _MOST_ROWS or said & _extremes(f"{item.title} {item.section}"):
                continue  # of a list of the largest all rows are that
            meant = self._meant(item)
            if end and item.id in born:
                of_pages = {page: value for page, (row, value) in born[item.id].items() if row in meant}
                rows = {row for row, _ in born[item.id].values() if row in meant}
                if len(of_pages) > 1 and len(rows) >= _KNOWN_SHARE * len(meant):
                    self._of_life[item.id] = self._of_pages(_judged(of_pages, end, _rank(shape.text)))
            elif (column := compared(shape.text, item.header)) and not (end and column.timely):
                parse = moment if column.timely else _size
                values = {row: value for row in meant if (value := parse(_cell(item, row, column.column))) is not None}
                if len(values) > 1 and len(values) >= _KNOWN_SHARE * len(meant):
                    self._of_column[item.id] = _judged(values, column.direction, _rank(shape.text))

    def of(self, piece: Piece) -> dict[str, float]:
        """``compared_life``, ``compared_column``: 1 for what is meant, -1 for what is not, 0 where nothing is told."""
        item, row = group_of(piece, self._by_id)
        known: dict[str, float] = {}
        if judged := self._of_life.get(item):
            best_of_row = judged.get(row, -1.0) if row is not None else -1.0
            known["compared_life"] = judged.get(piece.evidence.id, best_of_row)
        if (of_rows := self._of_column.get(item)) and row is not None:
            known["compared_column"] = of_rows.get(row, -1.0)
        return known

    def _of_pages(self, judged: Mapping[str, float]) -> dict[str | int, float]:
        """Of each page whose life is told, and of each row the best of its pages."""
        of_rows: dict[str | int, float] = {}
        for page, value in judged.items():
            row = linking_row(self._by_id[page], self._by_id)
            if row is not None:
                of_rows[row] = max(value, of_rows.get(row, -1.0))
        return {**judged, **of_rows}

    def _meant(self, item: EvidenceText) -> set[int]:
        """The rows with the cells that the question says and several rows share ("Gold"); all where it says none."""
        often: dict[tuple[int, str], set[int]] = defaultdict(set)
        for row, cells in enumerate(item.rows):
            for column, cell in enumerate(cells):
                often[column, " ".join(words(cell.casefold()))].add(row)
        meant = set(range(len(item.rows)))
        said = (rows for (_, cell), rows in often.items() if cell and len(rows) > 1 and f" {cell} " in self._asked)
        for rows in sorted(said, key=len):
            if len(meant & rows) > 1:
                meant &= rows
        return meant


def reads_comparison(question: str) -> bool:
    """Whether a question names the greatest or least of something, and not only as one of them or of its family."""
    return bool(_by_birth(question) or _EXTREME.search(question)) and not _OF_OTHERS.search(question)


_ENDS = sorted((set(SUPERLATIVES) | SUPERLATIVE_NOUNS.keys()) - {"first", "last", "final", "top"})
_EXTREME = re.compile(rf"\b(?:{'|'.join(_ENDS)})\b", re.IGNORECASE)
# "One of the largest", "the eldest of five children", "the most wins ever" compare with others than the rows.
_OF_OTHERS = re.compile(
    r"\bone of\b[^,?]*\b(?:most|\w{2,}est)\b|\b(?:eldest|oldest|youngest) (?:of|child|son|daughter|brother|sister)\b"
    r"|\b(?:ever|all[- ]time|in history|in the world)\b",
    re.IGNORECASE,
)


def _extremes(text: str) -> set[str]:
    return {match.group().casefold() for match in _EXTREME.finditer(text)}


def _by_birth(question: str) -> int:
    """Which end of the dates of birth is meant, 1 for the latest; 0 where no lives are compared."""
    if born := _BORN.search(question):
        return 1 if born["way"].casefold() in ("last", "latest", "after") else -1
    for match in re.finditer(r"\w+", question):
        if end := _BY_BIRTH.get(match.group().casefold()):
            noun = _NOUN_ENDS.split(question[match.end() :], maxsplit=1)[0]
            return end if _OF_LIVES.search(noun) or not noun.strip(" ?") else 0
    return 0


def _births(
    evidence: Sequence[EvidenceText], by_id: Mapping[str, EvidenceText]
) -> dict[str, dict[str, tuple[int, float]]]:
    """Of each table the pages about somebody that its rows lead to: the row, and when they were born."""
    found: dict[str, dict[str, tuple[int, float]]] = defaultdict(dict)
    for item in evidence:
        row = linking_row(item, by_id)
        life = _LIFE.search(item.sentences[0][:400]) if row is not None and item.sentences else None
        value = moment(life["born"] or life["from"]) if life else None
        if row is not None and value is not None and item.parent:
            found[item.parent][item.id] = (row, value)
    return found


def _rank(question: str) -> int:
    """The place that is meant from that end, from 0: 1 of "the second highest"."""
    match = _EXTREME.search(question)
    before = _PLACED.search(question[: match.start()].casefold()) if match else None
    word = before["word"] if before else ""
    if word in ORDINALS[1:]:
        return ORDINALS.index(word)
    digits = re.match(r"\d+", word)
    return int(digits.group()) - 1 if digits and not word.isdigit() else 0


def _judged(values: Mapping[_Key, float], direction: int, rank: int) -> dict[_Key, float]:
    """1 for those at the place that is meant, -1 for others; nothing where there is no such place."""
    ordered = sorted(set(values.values()), reverse=direction > 0)
    if rank >= len(ordered) or len(ordered) < 2:
        return {}
    return {key: 1.0 if value == ordered[rank] else -1.0 for key, value in values.items()}


def _size(cell: str) -> float | None:
    feet = _HEIGHT.match(cell.strip())
    return float(feet[1]) * 12 + float(feet[2]) if feet else measure(cell)


def _cell(item: EvidenceText, row: int, column: int) -> str:
    return item.rows[row][column] if column < len(item.rows[row]) else ""
