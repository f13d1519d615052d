"""Find headings and their levels by the outline, their numbers, size and weight."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.ingest.pdf.annotations import Entry
from backtrail.ingest.pdf.captions import read_label
from backtrail.ingest.pdf.elements import Element
from backtrail.ingest.pdf.paragraphs import Block

MAX_LETTERS = 150
"""Maximum of a heading; longer texts are paragraphs."""

# Figures: entries of the outlines of 32 papers and four filings that are found without the outline (895 of 1,231 as it
# is), and other headings that are found (498).
# At 1.24: 19 fewer, 18 fewer others; at 1.06: 94 more others.
_LARGER = 1.12  # minimum size without other marks, of the body's
_LEAST = 0.95  # minimum size with bold type, or with capitals and a number; at 1: 155 fewer; at 0.9: 20 more others
_LINES = 3  # maximum; at 1: 15 fewer and 31 others; at 6: 2 more others
_NUMBERED = re.compile(
    r"^(?:(chapter|section|part|appendix|kapitel|abschnitt|anhang|chapitre|capítulo|глава|раздел)\s+)?"
    r"((?:\d{1,3}|[A-Z])(?:\.\d{1,3})*|[IVXLC]{1,6})([.:)]?)\s+(?=\w)", re.I)  # fmt: skip
_CHAPTER = re.compile(
    r"^(?:第\s{0,2}([0-9０-９一二三四五六七八九十百〇]{1,5})\s{0,2}[章部編篇课課]|제\s{0,2}(\d{1,3})\s{0,2}[장부편])"
    r"[\s:：.、]{0,3}(?=\w)"
)
"""Chapter numbers of Chinese, Japanese and Korean books; their numerals are not converted."""


@dataclass(frozen=True)
class Rank:
    """Rank of a heading. ``entry`` is its level in the outline, ``depth`` that of its number (0: none)."""

    size: float
    bold: bool
    depth: int
    entry: int | None


def section_number(text: str) -> str | None:
    """Return the number that a heading begins with: "4.2" of "4.2 Results". Letters need a mark or a name."""
    chapter = _CHAPTER.match(text)
    if chapter:
        return chapter[1] or chapter[2]
    match = _NUMBERED.match(text)
    if match is None:
        return None
    name, number, mark = match.groups()
    return None if number.isalpha() and not (name or (mark and number.isupper())) else number


def mark_headings(elements: Sequence[Element], outline: Sequence[Entry], body: float) -> None:
    """Set the level of every element that is a heading, 0 for the outermost.

    A heading without content below it stays a paragraph, so that no words are lost.
    """
    titles = {(_plain(entry.title), entry.place.page): entry.level for entry in outline if entry.place is not None}
    stack: list[Rank] = []
    for element in elements:
        rank = _rank(element, titles, body)
        if rank is None:
            continue
        while stack and not _above(stack[-1], rank):
            stack.pop()
        element.heading = len(stack)
        stack.append(rank)
    _give_back(elements)


def _plain(text: str) -> str:
    """Return a title without number, case and punctuation."""
    number = _CHAPTER.match(text) or _NUMBERED.match(text)
    return " ".join(re.findall(r"\w+", text[number.end() :] if number and section_number(text) else text)).casefold()


def _rank(element: Element, titles: dict[tuple[str, int], int], body: float) -> Rank | None:
    block, text = element.part.block, element.text
    if (
        block is None
        or element.note
        or element.part.aside
        or not 1 < len(text) <= MAX_LETTERS
        or len(block.lines) > _LINES
    ):
        return None
    entry = next((titles[key] for page in (0, -1, 1) if (key := (_plain(text), element.page + page)) in titles), None)
    number = section_number(text)
    depth = number.count(".") + 1 if number else 0
    if entry is None and not _is_set_apart(block, text, body, depth, bool(element.part.jumps)):
        return None
    return Rank(round(block.size, 1), block.bold, depth, entry)


def _is_set_apart(block: Block, text: str, body: float, depth: int, jumps: bool) -> bool:
    """Whether size, weight, capitals or a number indicate a heading."""
    letters = [letter for letter in text if letter.isalpha()]
    if jumps or block.breaks or len(letters) < 2 or read_label(text) is not None:
        return False
    if text[-1] in ",;-" or (text[-1] == "." and not depth):  # off: 68 more others
        return False
    if block.size >= _LARGER * body:
        return True
    is_capitals = text.upper() == text and text.lower() != text and len(text) > 3
    is_marked = block.bold or (is_capitals and bool(depth))
    return is_marked and block.size >= _LEAST * body


def _above(outer: Rank, inner: Rank) -> bool:
    """Whether the inner heading may be below the outer one."""
    if outer.entry is not None and inner.entry is not None:
        return outer.entry < inner.entry
    if outer.depth and inner.depth:
        return outer.depth < inner.depth
    if outer.size != inner.size:
        return outer.size > inner.size
    return outer.bold and not inner.bold


def _give_back(elements: Sequence[Element]) -> None:
    """Turn headings without content below them back into paragraphs."""
    following: int | None = 0
    for element in reversed(elements):
        if element.heading is None:
            following = None
        elif following is not None and following <= element.heading:
            element.heading = None
            following = None
        else:
            following = element.heading
