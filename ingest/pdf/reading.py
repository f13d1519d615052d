"""Lay out all pages of a PDF file, window by window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import pypdfium2

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.pdf.annotations import Entry, read_outline
from backtrail.ingest.pdf.geometry import Frame
from backtrail.ingest.pdf.layout import PageLayout, lay_out
from backtrail.ingest.pdf.page_words import PageWords, read_words
from backtrail.ingest.pdf.pictures import MAX_PICTURES, render
from backtrail.ingest.pdf.running_heads import drop_running_heads
from backtrail.ingest.pdf.unreadable.damage import is_damaged

MAX_PAGES = 10_000
"""Maximum per file."""

ADVICE = "Open it in a viewer and save it again, or fetch it again"

PAGE_SECONDS = 60
"""Processor seconds for one page or for opening a file; the slowest of 1,100 odd files and of the hostile ones took
9."""

MEAN_SECONDS = 1
"""Additional processor seconds per page of a file (ours): three times the slowest of 21 real files. The size of a file
does not bound the time, as pages may share drawings."""

WINDOW = 60
"""Pages in memory at once, to find running heads."""

_WINDOW_SHAPES = 200_000
# Errors of pdfium, and of what is read from its numbers, for damaged files. They cost their page, not the file.
_BROKEN = (pypdfium2.PdfiumError, ValueError, ArithmeticError, LookupError, RecursionError, MemoryError)


@dataclass
class Reading:
    """Layouts of a file's pages.

    ``title`` is from its metadata, ``frames`` map the coordinates of each page to the displayed page, ``notes`` tell by
    page what was not read and why; ``damaged``: some content cannot be unpacked."""

    title: str = ""
    damaged: bool = False
    outline: list[Entry] = field(default_factory=list)
    pages: list[PageLayout] = field(default_factory=list)
    frames: dict[int, Frame] = field(default_factory=dict)
    notes: list[tuple[int, str]] = field(default_factory=list)


def read_file(
    path: Path,
    left_out: Mapping[int, str],
    entered: Callable[[int], None] = lambda page: None,
    page_seconds: int = PAGE_SECONDS,
) -> Reading:
    """Lay out every page of a file.

    Args:
        path: the file.
        left_out: pages, counted from 1, that are skipped, with the reason.
        entered: called with each page number before the page is read.
        page_seconds: processor seconds that one page may take; see ``MEAN_SECONDS``.

    Raises:
        UnreadableSource: the file needs a password, is damaged, has no pages, or is not a PDF.
    """
    with closing(_open(path)) as file:
        if not len(file):
            raise UnreadableSource(str(path), "the PDF has no pages", "Export it again")
        reader = _Reader(file, is_damaged(path), left_out, entered, page_seconds)
        reader.read()
        reading = reader.reading
        if not reading.pages and reading.notes:
            problem = f"no page can be read ({reading.notes[0][1]})"
            raise UnreadableSource(str(path), problem, ADVICE)
        reading.title, reading.outline = file.get_metadata_value("Title"), read_outline(file)
        return reading


def _open(path: Path) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            problem, advice = "the PDF is encrypted", "Save a copy without the password and ingest that"
            raise UnreadableSource(str(path), problem, advice) from error
        problem = f"this is not a PDF, or it is damaged ({_name(error)})"
        raise UnreadableSource(str(path), problem, ADVICE) from error
    except OSError as error:
        problem = f"cannot be opened ({error.strerror or error})"
        raise UnreadableSource(str(path), problem, "Check the path and its permissions") from error


def _name(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:120]


class _Reader:
    """Lays out the pages of one file."""

    def __init__(
        self,
        file: pypdfium2.PdfDocument,
        damaged: bool,
        left_out: Mapping[int, str],
        entered: Callable[[int], None],
        page_seconds: int,
    ) -> None:
        self.reading = Reading(damaged=damaged)
        self._file = file
        self._left_out = left_out
        self._entered = entered
        self._seconds = page_seconds + MEAN_SECONDS * min(len(file), MAX_PAGES)
        self._until = process_time() + self._seconds

    def read(self) -> None:
        """Read all pages."""
        for window in self._windows():
            drop_running_heads(window)
            for words in window:
                self._entered(words.number)
                try:
                    self._lay_out(words)
                except _BROKEN as error:
                    self._skip(words.number, f"the page cannot be read ({_name(error)})")

    def _windows(self) -> Iterator[list[PageWords]]:
        window: list[PageWords] = []
        for number in range(1, min(len(self._file), MAX_PAGES) + 1):
            if number in self._left_out:
                self._skip(number, self._left_out[number])
                continue
            if process_time() > self._until:
                late = f"the pages before it took more than {self._seconds} seconds; it and all after it were left out"
                self._skip(number, f"{late}. Split the file")
                break
            self._entered(number)
            try:
                words = read_words(self._file, number)
            except _BROKEN as error:
                self._skip(number, f"the page cannot be read ({_name(error)})")
                continue
            if self.reading.damaged:
                words.leave_out_noise()
            self.reading.frames[number] = words.shown
            window.append(words)
            shapes = sum(len(page.drawing.shapes) + len(page.fragments) for page in window)
            if len(window) >= WINDOW or shapes > _WINDOW_SHAPES:
                yield window
                window = []
        if window:
            yield window
        if len(self._file) > MAX_PAGES:
            self._skip(MAX_PAGES + 1, f"the file has {len(self._file)} pages, of which {MAX_PAGES} were read")

    def _lay_out(self, words: PageWords) -> None:
        page = lay_out(words)
        for note in page.notes:
            self._skip(page.number, note)
        self._render(page)
        self.reading.pages.append(page)

    def _render(self, page: PageLayout) -> None:
        shown = [part for part in page.parts if part.figure is not None]
        if len(shown) > MAX_PICTURES:
            self._skip(page.number, f"{len(shown)} pictures, of which the first {MAX_PICTURES} were kept")
            left_out = {id(part) for part in shown[MAX_PICTURES:]}
            page.parts = [part for part in page.parts if id(part) not in left_out]
        if not shown:
            return
        with closing(self._file[page.number - 1]) as rendered:
            for part in shown[:MAX_PICTURES]:
                if part.figure is not None:
                    part.figure.png = render(rendered, part.box, part.figure.pixels)

    def _skip(self, page: int, reason: str) -> None:
        self.reading.notes.append((page, reason))
