"""The title printed on the first page: its largest line near the top, with its continuation.

Figures are titles that change of 1,188 files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.ingest.pdf.elements import Element
from backtrail.ingest.pdf.geometry import Box, across
from backtrail.ingest.pdf.headings import section_number

_LARGER = 1.12  # minimum size of a larger line, of the text's size; at 1: 57, at 1.3: 9
_ALIKE = 0.97  # minimum ratio of equal sizes; at .9: 2, at 1: none
_UPPER = 0.6  # upper part of the page for titles; off: 4, at .4: 13
_LETTERS = 250  # off: 2
_LINES = 5  # off: 4
_BESIDE = 0.25  # upper part of the page for second lines; off: 8, of which half get worse
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_NO_TITLE = re.compile(
    r"@|https?:|www\.|\bpage:?\s?\d+|(^|\s)\d{1,3}\s?/\s?\d{1,3}$|^[•◦▪■□●○‣⁃∙·*☐☒☑]|[:,;]$|^\(.*\)$|(:\s*\S.*){2}"
    r"|\b(phone|tel|fax|e-?mail|iban|no)\b\.?\s?:"
    rf"|^(\w+day,?\s)?(\d{{1,2}}\.?\s)?{_MONTH}\s(\d{{1,2}}(st|nd|rd|th)?,?\s)?\d{{4}}$", re.I)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{4}|[^\W\d_\x00-\x7f]")
_SENTENCE = re.compile(r"[.!?]$")


@dataclass(frozen=True)
class FirstPage:
    """Possible title lines in reading order, the page's height, and the font size of the text."""

    lines: list[Element]
    height: float
    body: float


def read_first_page(elements: Sequence[Element], heights: dict[int, float], body: float) -> FirstPage:
    """Read the first page with text.

    Args:
        elements: elements of the file, in reading order.
        heights: heights of the displayed pages, in points.
        body: font size of most letters of the file.
    """
    texts = [one for one in elements if one.text and one.part.block is not None and not one.part.aside]
    page = [one for one in texts if one.page == texts[0].page]
    height = heights.get(texts[0].page, 800.0) if texts else 800.0
    return FirstPage([one for one in page if _may_be_title(one, height)], height, body)


def _may_be_title(element: Element, height: float) -> bool:
    block, text = element.part.block, element.text
    if block is None or element.note or element.part.box[1] >= _UPPER * height or len(block.lines) > _LINES:
        return False
    letters = [letter.casefold() for letter in text if letter.isalpha()]
    if len(text) > _LETTERS or 5 * len(letters) < len(text.replace(" ", "")) or len(set(letters)) < 3:
        return False
    first = next(filter(str.isalpha, text))
    is_sentence = len(text) > 60 and _SENTENCE.search(text)
    return not (_NO_TITLE.search(" ".join(text.split())) or first.islower() or is_sentence)


def largest_line(page: FirstPage) -> str:
    """Return the title set larger than the text; empty if there is none."""
    largest = max(map(_size, page.lines), default=0.0)
    if not page.lines or largest < _LARGER * page.body:
        return ""
    main = min((one for one in page.lines if _size(one) >= _ALIKE * largest), key=lambda one: one.part.box[1])
    taken = _run_from(main, page.lines)
    title = _text(taken)
    second = _second(taken, page)
    return f"{title} – {_text(_run_from(second, page.lines))}" if second is not None else title


def first_line(page: FirstPage) -> str:
    """Return the first heading of the page, else its first line; "" if there is none."""
    texts = [one.text for one in (*(one for one in page.lines if one.heading is not None), *page.lines)]
    return next((" ".join(text.split()) for text in texts if _WORD.search(text)), "")


def _size(element: Element) -> float:
    return element.part.block.size if element.part.block is not None else 0.0


def _text(elements: Sequence[Element]) -> str:
    return " ".join(" ".join(one.text.split()) for one in elements)


def _run_from(main: Element, lines: Sequence[Element]) -> list[Element]:
    """Return a line with those that continue directly below it in the same size."""
    taken = [main]
    for one in lines[lines.index(main) + 1 :]:
        above: Box = taken[-1].part.box
        below: Box = one.part.box
        size = _size(main)
        if not _ALIKE * size <= _size(one) <= size / _ALIKE or across(above, below) <= 0:
            break
        if not -0.6 * size < below[1] - above[3] < 0.6 * size:
            break
        taken.append(one)
    return taken


def _second(taken: Sequence[Element], page: FirstPage) -> Element | None:
    """Return the next largest line at the top of the page, such as the sender of an invoice."""
    size = _size(taken[0])
    others = [
        one
        for one in page.lines
        if one not in taken
        and 0.6 * size <= _size(one) <= size / _ALIKE
        and _size(one) >= 1.5 * page.body
        and one.part.box[1] < _BESIDE * page.height
        and section_number(one.text) is None
    ]
    middle = taken[0].part.box[1]
    return min(others, key=lambda one: abs(one.part.box[1] - middle), default=None)
