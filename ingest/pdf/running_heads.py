"""Remove repeated running heads and feet, and page numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from backtrail.ingest.pdf.fragments import Fragment, Row, joined, read_rows
from backtrail.ingest.pdf.gutters import pieces
from backtrail.ingest.pdf.page_words import PageWords

_MARGIN = 0.13  # of the page's height, above and below; at .1 heads stay in 4 of 18 books, at .16 three lose text
_ROWS = 3  # outermost rows in each margin; at 2 heads stay in 5 of 31 long files, at 5 three lose heads of tables
_SAME_HEIGHT = 6.0  # points; at 3 and at 12, pages of 7 and of 13 of 1,258 files change, some for the worse
# Maximum height of the lines above names of columns, of the font size. At 0 tables lose heads on 58 pages of 9 of 1,258
# files, at 6 heads of pages stay in 7.
_HEADS = 3.6
_PAGES = 3  # minimum of pages with a repetition; at 2, 58 of 1,227 files change, at 4 heads stay in 35
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.I)
_ONLY_NUMBER = re.compile(r"^\W*(page|seite|página|p\.)?\W*#(\W*(of|von|de|/)\W*#)?\W*$", re.I)

# 2024; June 30, 2024; June 30, but no time of printing. Off: 26 tables of 6 of 1,227 files lose heads.
_PERIOD = re.compile(r"^[^:]*\b(?:19|20)\d\d\W{0,3}$|^[A-Z][a-z]{2,8}\.? \d{1,2},$")

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True)
class _Margin:
    """A piece of a row in a margin: its page, height and numbers. ``row`` is the whole row if it is the outermost."""

    page: int
    height: float
    numbers: tuple[int, ...]
    fragments: tuple[Fragment, ...]
    row: tuple[Fragment, ...]


def drop_running_heads(pages: Sequence[PageWords]) -> None:
    """Remove words that repeat at the same height on other pages, but where they are first.

    A date or name may be nowhere else; what is kept is set aside from the page's text. The numbers of a repetition have
    to be equal, or to count the pages. It has to be on three pages; a bare page number on two. With a page number on
    three pages its whole row is removed, as the title of a two-page chapter does not repeat. A page of which nothing
    but rules remains is blank.
    """
    places: defaultdict[str, list[_Margin]] = defaultdict(list)
    for index, page in enumerate(pages):
        for text, margin in _margins(index, page):
            places[text].append(margin)
    dropped: defaultdict[int, set[int]] = defaultdict(set)
    first: defaultdict[str, list[_Margin]] = defaultdict(list)
    for text, found in places.items():
        needed = 2 if _ONLY_NUMBER.match(text) else _PAGES  # three for all: page numbers stay in 38 of 1,227 files
        for margin in found:
            if _returns(margin, found, needed):
                if needed == _PAGES and not any(_goes_on(one, margin) for one in first[text]):
                    first[text].append(margin)
                dropped[margin.page].update(map(id, margin.fragments))
            # Off: 14 pages of two files keep the titles of chapters.
            if needed == 2 and margin.numbers and _returns(margin, found, _PAGES, counting=True):
                dropped[margin.page].update(map(id, margin.row))
    for index, fragments in dropped.items():
        pages[index].fragments = [one for one in pages[index].fragments if id(one) not in fragments]
    _drop_stamps(pages)
    _set_aside(pages, first)
    for index in dropped:
        page = pages[index]
        page.blank = not (page.fragments or page.aside or page.notes) and page.drawing.only_rules


def _set_aside(pages: Sequence[PageWords], first: Mapping[str, Sequence[_Margin]]) -> None:
    """Keep the first of each series of heads or feet, unless its words are a line elsewhere, such as the title."""
    lines = {
        _as_pattern(piece.fragments) for page in pages for row in read_rows(page.fragments) for piece in pieces(row)
    }
    for margin in (one for text, kept in first.items() if text not in lines for one in kept):
        page = pages[margin.page]
        page.aside.setdefault(page.turn, []).extend(margin.fragments)


def _as_pattern(fragments: Sequence[Fragment]) -> str:
    """Return the text of a piece in lower case, numbers replaced by "#"."""
    return _NUMBER.sub("#", joined(fragments).replace("#", "♯")).casefold()


def _drop_stamps(pages: Sequence[PageWords]) -> None:
    """Remove text of another direction, such as up a margin, that is the same on three pages."""
    seen: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for index, page in enumerate(pages):
        for turn, fragments in page.aside.items():
            seen[turn, _all_words(fragments)].add(index)
    for page in pages:
        page.aside = {
            turn: fragments for turn, fragments in page.aside.items() if len(seen[turn, _all_words(fragments)]) < _PAGES
        }


def _all_words(fragments: Sequence[Fragment]) -> str:
    return _NUMBER.sub("#", " ".join(joined(row.fragments) for row in read_rows(fragments)))


def _margins(index: int, page: PageWords) -> Iterator[tuple[str, _Margin]]:
    """Yield the pieces of the outermost rows, each with its text, numbers replaced by "#"."""
    height = page.frame.height
    near = [one for one in page.fragments if not _MARGIN * height < one.box[3] < (1 - _MARGIN) * height]
    rows = read_rows(near)
    upper = [row for row in rows if row.base < height / 2][:_ROWS]
    lower = [row for row in rows if row.base >= height / 2][-_ROWS:]
    outermost = [*upper[:1], *lower[-1:]]
    heads = [row.base for row in read_rows(page.fragments) if _names_columns(row)]
    for row in [*upper, *lower]:
        if any(0 <= base - row.base <= _HEADS * row.size for base in heads):
            continue  # names of columns, which tables on several pages share
        beside = tuple(row.fragments) if row in outermost else ()
        for piece in pieces(row):
            numbers = tuple(map(_value, _NUMBER.findall(joined(piece.fragments))))
            yield _as_pattern(piece.fragments), _Margin(index, row.base, numbers, piece.fragments, beside)


def _names_columns(row: Row) -> bool:
    return sum(bool(_PERIOD.search(joined(piece.fragments))) for piece in pieces(row)) > 1


def _value(number: str) -> int:
    if number.isdigit():
        return int(number[:9])
    values = [_ROMAN[letter] for letter in number.lower()]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def _returns(margin: _Margin, found: Sequence[_Margin], needed: int, *, counting: bool = False) -> bool:
    """Whether the text repeats at this height on enough pages; ``counting``: only with their page numbers."""
    pages = {
        other.page
        for other in found
        if abs(other.height - margin.height) <= _SAME_HEIGHT and _goes_on(margin, other, counting=counting)
    }
    return len(pages) >= needed


def _goes_on(margin: _Margin, other: _Margin, *, counting: bool = False) -> bool:
    """Whether the numbers of two equal texts are equal or count the pages; ``counting``: all count the pages."""
    steps = (other.page - margin.page,) if counting else (0, other.page - margin.page)
    return all(b - a in steps for a, b in zip(margin.numbers, other.numbers, strict=True))
