"""Join glyphs to fragments (adjacent letters), fragments to rows, and rows to text with spaces."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import median

from backtrail.ingest.pdf.geometry import Box, union
from backtrail.ingest.pdf.glyphs import Glyph

WORD_GAP = 0.15
"""Of the font size: a wider gap is a space. Measured: at 0.25, words of a paper without space glyphs were joined."""

# Figures below are pages that change of 2,592.
_WIDE_GAP = 0.6  # of the font size: the same for scripts without spaces between words; off: 15
_TRACKED = 4  # minimum of single letters at even distances that make a word with letter spacing; off: 10
_SAME_LINE = 0.35  # of the font size: fragments with nearer baselines are one row; at .2: 256, at .5: 268
MARK_SIZE = 0.85  # of the neighbour's font size: smaller letters may be superscripts or subscripts
_MARK_LETTERS = 5  # at 2: 106, at 10: 11
_NUMBER = re.compile(r"[+\-−–]?\d{1,3}(?:[,.]\d{1,3}){0,2}")


@dataclass(slots=True)
class Fragment:
    """Letters without a space between them, in reading order."""

    text: str
    box: Box
    base: float
    size: float
    bold: bool
    spaced: bool
    rtl: bool


@dataclass(slots=True)
class Row:
    """Fragments of one line, from left to right."""

    fragments: list[Fragment]
    base: float
    size: float

    @property
    def box(self) -> Box:
        """The box around all fragments."""
        return union(fragment.box for fragment in self.fragments)


def read_fragments(glyphs: Sequence[Glyph]) -> list[Fragment]:
    """Join consecutive adjacent letters."""
    runs: list[list[Glyph]] = []
    for glyph in glyphs:
        if runs and not glyph.spaced and _adjoins(runs[-1][-1], glyph):
            runs[-1].append(glyph)
        else:
            runs.append([glyph])
    return [_fragment(run) for run in runs]


def _adjoins(last: Glyph, glyph: Glyph) -> bool:
    size = max(last.size, glyph.size)
    if abs(last.base - glyph.base) > 0.1 * size or min(last.size, glyph.size) < 0.6 * size:
        return False
    backwards = is_rtl(glyph.text) or (is_rtl(last.text) and not glyph.text.isalnum())
    gap = last.x0 - glyph.x1 if backwards else glyph.x0 - last.x1
    # The letters of a ligature share one box; accents overlap the letter before them.
    overlaid = unicodedata.combining(glyph.text) or (glyph.x0 == last.x0 and glyph.x1 == last.x1)
    return -0.5 * size <= gap <= WORD_GAP * size or bool(overlaid)


def _fragment(run: list[Glyph]) -> Fragment:
    text = unicodedata.normalize("NFC", "".join(glyph.text for glyph in run))
    box = (
        min(glyph.x0 for glyph in run),
        min(glyph.top for glyph in run),
        max(glyph.x1 for glyph in run),
        max(glyph.bottom for glyph in run),
    )
    bold = 2 * sum(glyph.bold for glyph in run) > len(run)
    size = max(glyph.size for glyph in run)
    return Fragment(text, box, run[0].base, size, bold, run[0].spaced, any(is_rtl(letter) for letter in text))


@lru_cache(maxsize=4096)
def is_rtl(letter: str) -> bool:
    """Whether a text's first letter is written from right to left."""
    return unicodedata.bidirectional(letter[:1]) in ("R", "AL")


def read_rows(fragments: Sequence[Fragment]) -> list[Row]:
    """Group fragments into rows from the top; superscripts and subscripts belong to their neighbour's row."""
    marks = _marks(fragments)
    rows: list[Row] = []
    for fragment in sorted(fragments, key=lambda fragment: (fragment.base, fragment.box[0])):
        if id(fragment) in marks:
            continue
        row = rows[-1] if rows else None
        if row is None or not _on_line(row, fragment):
            rows.append(Row([fragment], fragment.base, fragment.size))
        else:
            row.fragments.append(fragment)
            if fragment.size > row.size:
                row.base, row.size = fragment.base, fragment.size
    beside = {id(fragment): row for row in rows for fragment in row.fragments}
    for fragment in fragments:
        if id(fragment) in marks:
            beside[id(marks[id(fragment)])].fragments.append(fragment)
    for row in rows:
        row.fragments.sort(key=lambda fragment: fragment.box[0])
    return sorted(rows, key=lambda row: row.base)


def _on_line(row: Row, fragment: Fragment) -> bool:
    return abs(row.base - fragment.base) <= _SAME_LINE * max(min(row.size, 3 * fragment.size), fragment.size)


def _marks(fragments: Sequence[Fragment]) -> dict[int, Fragment]:
    """Map the ids of superscripts and subscripts to the larger fragment beside them."""
    upper = sorted(fragment.size for fragment in fragments)[3 * len(fragments) // 4] if fragments else 0.0
    small = [one for one in fragments if one.size <= MARK_SIZE * upper and len(one.text) <= _MARK_LETTERS]
    if not small:
        return {}
    ordered = sorted(fragments, key=lambda one: one.box[1])
    tops = [one.box[1] for one in ordered]
    tallest = max(one.box[3] - one.box[1] for one in ordered)
    marks: dict[int, Fragment] = {}
    for mark in sorted(small, key=lambda one: -one.size):
        x0, top, x1, bottom = mark.box
        for other in ordered[bisect_left(tops, top - tallest) : bisect_right(tops, bottom)]:
            shared = min(bottom, other.box[3]) - max(top, other.box[1])
            gap = max(x0 - other.box[2], other.box[0] - x1)
            larger = mark.size <= MARK_SIZE * other.size
            if larger and shared >= 0.4 * (bottom - top) and -0.3 * other.size <= gap <= 0.4 * other.size:
                marks[id(mark)] = marks.get(id(other), other)  # a mark of a mark belongs to the same row
                break
    return marks


def joined(fragments: Sequence[Fragment]) -> str:
    """Return the text of the fragments of a row, given from left to right."""
    if not fragments:
        return ""
    letters = [(sum(map(is_rtl, one.text)), sum(letter.isalpha() for letter in one.text)) for one in fragments]
    if 2 * sum(rtl for rtl, _ in letters) > sum(alpha for _, alpha in letters):
        return _from_the_right(fragments)
    gap = _space(fragments)
    text = fragments[0].text
    for left, right in pairwise(fragments):
        apart = _apart(left, right, gap)
        text += " " * apart + (right.text if apart else _raised(left, right))
    return text


def _raised(left: Fragment, right: Fragment) -> str:
    """Mark a raised number: 10^6, not 106; after a sentence it is a note mark, [1]."""
    smaller = right.size <= MARK_SIZE * left.size and right.base <= left.base
    if not smaller or not _NUMBER.fullmatch(right.text):
        return right.text
    if left.text[-1] in '.,;:!?"”’»':
        return f"[{right.text}]"
    return f"^{right.text}" if left.text[-1].isalnum() or left.text[-1] in ")]" else right.text


def _from_the_right(fragments: Sequence[Fragment]) -> str:
    """Join words from the right; parts written from the left (numbers, other scripts) keep their order."""
    ordered: list[list[Fragment]] = []
    for fragment in reversed(fragments):
        if ordered and not fragment.rtl and not ordered[-1][0].rtl:
            ordered[-1].insert(0, fragment)
        else:
            ordered.append([fragment])
    flat = [fragment for group in ordered for fragment in group]
    text = flat[0].text
    for last, following in pairwise(flat):
        left, right = sorted((last, following), key=lambda fragment: fragment.box[0])
        apart = right.box[0] - left.box[2] > WORD_GAP * max(left.size, right.size)
        text += " " * (apart or following.spaced) + following.text
    return text


def _apart(left: Fragment, right: Fragment, gap: float) -> bool:
    if is_unspaced(left.text[-1]) and is_unspaced(right.text[0]):
        gap = max(gap, _WIDE_GAP)
    elif right.spaced:
        return True
    return right.box[0] - left.box[2] > max(gap, WORD_GAP) * max(left.size, right.size)


def is_unspaced(letter: str) -> bool:
    """Whether a letter belongs to a script without spaces between words."""
    code = ord(letter)
    return 0x3000 <= code <= 0x30FF or 0x3400 <= code <= 0x9FFF or 0xFF00 <= code <= 0xFFEF


def _space(fragments: Sequence[Fragment]) -> float:
    """Return the minimum gap of a space, of the font size; larger for words with letter spacing."""
    single = [
        pair for pair in pairwise(fragments) if len(pair[0].text) == len(pair[1].text) == 1 and not pair[1].spaced
    ]
    if len(single) < _TRACKED - 1:
        return WORD_GAP
    return 1.5 * median((right.box[0] - left.box[2]) / max(left.size, right.size) for left, right in single)
