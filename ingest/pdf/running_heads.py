"""Heads, feet and page numbers that return on page after page: they are no part of the text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from backtrail.ingest.pdf.fragments import Fragment, joined, read_rows
from backtrail.ingest.pdf.gutters import pieces
from backtrail.ingest.pdf.page_words import PageWords

_MARGIN = 0.13  # of the page's height, above and below
_ROWS = 3  # of the outermost rows in each margin
_SAME_HEIGHT = 6.0  # points
_REACH = 4  # pages apart that a head returns at the latest: left and right pages, chapter openings
_PAGES = 3  # on which something has to stand
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b", re.I)
_ONLY_NUMBER = re.compile(r"^\W*(page|seite|página|p\.)?\W*#(\W*(of|von|de|/)\W*#)?\W*$", re.I)

_Found = tuple[int, float, list[Fragment]]


def drop_running_heads(pages: Sequence[PageWords]) -> None:
    """Take what returns at the same height, numbers aside, out of the words of consecutive pages.

    It has to stand on three pages; a bare page number on two. In shorter documents nothing else is taken.
    """
    places: defaultdict[str, list[_Found]] = defaultdict(list)
    for index, page in enumerate(pages):
        for text, height, fragments in _margins(page):
            places[text].append((index, height, fragments))
    gone: defaultdict[int, set[int]] = defaultdict(set)
    for text, found in places.items():
        needed = 2 if _ONLY_NUMBER.match(text) else _PAGES
        for index, _, fragments in _returning(found, needed):
            gone[index].update(map(id, fragments))
    for index, fragments in gone.items():
        pages[index].fragments = [one for one in pages[index].fragments if id(one) not in fragments]


def _margins(page: PageWords) -> list[tuple[str, float, list[Fragment]]]:
    """The pieces of the outermost rows, with their numbers made alike, and their distance from the page's edge."""
    height = page.frame.height
    near = [one for one in page.fragments if not _MARGIN * height < one.box[3] < (1 - _MARGIN) * height]
    rows = read_rows(near)
    upper = [row for row in rows if row.base < height / 2][:_ROWS]
    lower = [row for row in rows if row.base >= height / 2][-_ROWS:]
    return [
        (_NUMBER.sub("#", joined(piece.fragments)).casefold(), row.base, list(piece.fragments))
        for row in [*upper, *lower]
        for piece in pieces(row)
    ]


def _returning(found: Sequence[_Found], needed: int) -> list[_Found]:
    """Those that stand at one height on enough pages near each other."""
    kept: list[_Found] = []
    for one in found:
        same = {other[0] for other in found if abs(other[1] - one[1]) <= _SAME_HEIGHT}
        near = [page for page in same if abs(page - one[0]) <= _REACH * needed]
        if len(near) >= needed:
            kept.append(one)
    return kept
