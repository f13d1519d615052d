"""Scanned pages: read by OCR and laid out like other pages.

Columns, tables without rules, headings and running heads are found in the words of OCR by the same code as on other
pages. The picture of the page is kept after its text.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from statistics import median

from PIL import Image

from backtrail.ingest.parse_cache.trace_dependencies import parse_again
from backtrail.ingest.pdf.drawings import Drawing
from backtrail.ingest.pdf.fragments import Fragment, is_rtl
from backtrail.ingest.pdf.geometry import UPRIGHT, Box
from backtrail.ingest.pdf.layout import PageLayout, Part, lay_out
from backtrail.ingest.pdf.page_words import UNREADABLE, PageWords
from backtrail.ingest.pdf.reading import WINDOW, Reading
from backtrail.ingest.pdf.running_heads import drop_running_heads
from backtrail.ingest.picture_words import PictureWords
from backtrail.tools.ocr.lines import RUNNING_WORDS, Line, Word

ReadPages = Callable[[Sequence[bytes]], list[PictureWords]]
"""Reads the words in picture files, in order."""

Print = tuple[Part, Sequence[Line]]
"""A picture on a page, and the lines in its pixels."""

LEAST_WORDS = 20
"""Minimum for a picture to count as print, with one line of running text; others are pictures with labels. Ours."""

NOT_READ = "no text layer; ingest it with --ocr (needs Tesseract) to make its text searchable"
DAMAGED = "no text: blank or damaged, as the file has contents that cannot be unpacked"

BY_OCR = "its fonts do not say which letters they draw; it was read by OCR"

# Of the font size: heights of words above the baseline, and of descenders. On 13 pages rendered at 150 and 300 dots an
# inch, 11 of 501 lines are larger than the text and should not be; without descenders 35, with capitals of .65 22.
_CAPITALS = 0.72
_TAIL = 0.22
_TAILS = frozenset("gjpqy,;()[]{}|/\\§Q")


def read_scans(reading: Reading, read: ReadPages | None) -> None:
    """Add the text that OCR reads to pages without letters; without OCR, report them.

    Blank pages are not reported, unless they may be blank because the file is damaged.

    Args:
        reading: the pages of a file, changed in place.
        read: OCR; None if there is none.
    """
    bare = [page for page in reading.pages if not any(part.block or part.table for part in page.parts)]
    for page in bare:
        figures = [part.figure for part in page.parts if part.figure]
        if page.unreadable:
            continue
        if reading.damaged and not any(figure.pixels or figure.labels for figure in figures):
            reading.notes.append((page.number, DAMAGED))
        elif read is None and not page.blank and not any(figure.labels for figure in figures):
            reading.notes.append((page.number, NOT_READ))
    if read is None:
        _leave_out_unreadable(bare)
        return
    pictures = [(page, part) for page in bare for part in page.parts if part.figure and part.figure.png]
    found = read([_png(part) for _, part in pictures]) if pictures else []
    if any(one.left or one.problem for one in found):
        parse_again("OCR did not read every page")
    print_of: dict[int, list[Print]] = {}
    for (page, part), one in zip(pictures, found, strict=True):
        if _is_print(one.lines):
            print_of.setdefault(page.number, []).append((part, one.lines))
    printed = [page for page in bare if page.number in print_of]
    for start in range(0, len(printed), WINDOW):
        _lay_out(printed[start : start + WINDOW], print_of, reading)
    _leave_out_unreadable([page for page in bare if page.number not in print_of])
    by_ocr = {page.number for page in printed if page.unreadable}
    reading.notes[:] = [(page, BY_OCR if page in by_ocr and why == UNREADABLE else why) for page, why in reading.notes]


def _leave_out_unreadable(pages: Sequence[PageLayout]) -> None:
    """Empty unreadable pages in which OCR found no print; the notes report them."""
    for page in pages:
        if page.unreadable:
            page.parts = []


def _is_print(lines: Sequence[Line]) -> bool:
    words = [len(line.words) for line in lines]
    return sum(words) >= LEAST_WORDS and max(words) >= RUNNING_WORDS


def _png(picture: Part) -> bytes:
    assert picture.figure is not None  # callers pass pictures only
    assert picture.figure.png is not None
    return picture.figure.png


def _lay_out(window: Sequence[PageLayout], print_of: Mapping[int, Sequence[Print]], reading: Reading) -> None:
    pages = []
    for page in window:
        frame = reading.frames[page.number]
        words = [word for part, lines in print_of[page.number] for word in _fragments(lines, part)]
        pages.append(PageWords(page.number, frame, frame, UPRIGHT, words, {}, Drawing(), []))
    drop_running_heads(pages)
    for page, words in zip(window, pages, strict=True):
        page.parts = [*lay_out(words).parts, *page.parts]


def _fragments(lines: Sequence[Line], picture: Part) -> list[Fragment]:
    """Return the words in points of the page, with one font size per paragraph, as single words measure badly."""
    scale = (picture.box[2] - picture.box[0]) / Image.open(io.BytesIO(_png(picture))).width
    sizes = _sizes(lines)
    found = []
    for line in lines:
        size = scale * sizes[line.paragraph]
        base = picture.box[1] + scale * median(word.box.top + word.box.height for word in line.words)
        for word in line.words:
            box = _placed(word, picture.box, scale)
            found.append(Fragment(word.text, box, base, size, False, True, any(map(is_rtl, word.text))))
    return found


def _placed(word: Word, page: Box, scale: float) -> Box:
    left, top = page[0] + scale * word.box.left, page[1] + scale * word.box.top
    return left, top, left + scale * word.box.width, top + scale * word.box.height


def _sizes(lines: Sequence[Line]) -> dict[tuple[str, ...], float]:
    """Return the font size of each paragraph, in pixels."""
    sizes: dict[tuple[str, ...], list[float]] = {}
    for line in lines:
        sizes.setdefault(line.paragraph, []).extend(map(_letter_size, line.words))
    return {key: median(found) for key, found in sizes.items()}


def _letter_size(word: Word) -> float:
    """Estimate the font size of a word from its height in pixels."""
    return word.box.height / (_CAPITALS + (0.0 if _TAILS.isdisjoint(word.text) else _TAIL))
