"""PDF files: paragraphs, tables and pictures in reading order, each with its section, page, box and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pypdfium2

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.pdf.annotations import read_outline
from backtrail.ingest.pdf.assemble import Assembly, assemble
from backtrail.ingest.pdf.geometry import Frame
from backtrail.ingest.pdf.layout import PageLayout, lay_out
from backtrail.ingest.pdf.page_words import PageWords, read_words
from backtrail.ingest.pdf.pictures import MAX_PICTURES, render
from backtrail.ingest.pdf.running_heads import drop_running_heads
from backtrail.ingest.sites.site_map import SiteMap

MAX_PAGES = 10_000
"""Of one file that are read."""

_WINDOW = 60  # pages that are held with all their words, to see which lines return
_WINDOW_SHAPES = 200_000
# what damaged files make pdfium and the arithmetic on its numbers raise
_BROKEN = (pypdfium2.PdfiumError, ValueError, OverflowError, ZeroDivisionError, RecursionError)


def parse_pdf(path: Path, document_id: str, site_map: SiteMap | None = None) -> list[ParsedDocument]:
    """Parse one PDF file; a long one becomes several documents (``divide.py``).

    Pages without text are reported, with whatever pictures they have; damaged pages are reported and left out.

    Raises:
        UnreadableSource: the file needs a password, is damaged, has no pages, or is no PDF.
    """
    with closing(_open(path)) as file:
        if not len(file):
            raise UnreadableSource(str(path), "the PDF has no pages", "Export it again")
        reader = _Reader(file, document_id)
        reader.read()
        if not reader.pages and reader.skipped:
            raise UnreadableSource(str(path), f"every page is damaged ({reader.skipped[0].reason})", _ADVICE)
        assembly = Assembly(
            path,
            document_id,
            reader.pages,
            reader.frames,
            read_outline(file),
            _metadata_title(file),
            reader.pictures,
            LinkTargets(document_id, site_map=site_map),
        )
        return assemble(assembly, reader.skipped)


_ADVICE = "Open it in a viewer and save it again, or fetch it again"


def _open(path: Path) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            problem, advice = "the PDF is encrypted", "Save a copy without the password and ingest that"
            raise UnreadableSource(str(path), problem, advice) from error
        problem = f"this is no PDF, or it is damaged ({_name(error)})"
        raise UnreadableSource(str(path), problem, _ADVICE) from error
    except OSError as error:
        problem = f"cannot be opened ({error.strerror or error})"
        raise UnreadableSource(str(path), problem, "Check the path and its permissions") from error


def _name(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:120]


_NO_TITLE = re.compile(r"^\W*$|^\(?(untitled|anonymous|unspecified)\)?|\.(docx?|pdf|tex|indd|qxd|dvi|pptx?)$", re.I)


def _metadata_title(file: pypdfium2.PdfDocument) -> str:
    title = " ".join(file.get_metadata_value("Title").replace("\0", "").split())
    title = re.sub(r"^Microsoft (Word|PowerPoint) - ", "", title)
    return "" if _NO_TITLE.search(title) else title


class _Reader:
    """Lays out the pages of one file, window by window."""

    def __init__(self, file: pypdfium2.PdfDocument, document_id: str) -> None:
        self.pages: list[PageLayout] = []
        self.frames: dict[int, Frame] = {}
        self.pictures: dict[int, bytes] = {}
        self.skipped: list[SkippedPart] = []
        self._file = file
        self._document_id = document_id

    def read(self) -> None:
        """All pages."""
        for window in self._windows():
            drop_running_heads(window)
            for words in window:
                try:
                    self._lay_out(words)
                except _BROKEN as error:
                    self._skip(words.number, f"the page is damaged ({_name(error)})")

    def _windows(self) -> Iterator[list[PageWords]]:
        window: list[PageWords] = []
        for number in range(1, min(len(self._file), MAX_PAGES) + 1):
            try:
                words = read_words(self._file, number)
            except _BROKEN as error:
                self._skip(number, f"the page is damaged ({_name(error)})")
                continue
            self.frames[number] = words.shown
            window.append(words)
            shapes = sum(len(page.drawing.shapes) + len(page.fragments) for page in window)
            if len(window) >= _WINDOW or shapes > _WINDOW_SHAPES:
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
        if not any(part.block or part.table for part in page.parts):
            note = f"page {page.number} has no text layer; run OCR over the file to make its text searchable"
            self._skip(page.number, note)
        self._render(page)
        self.pages.append(page)

    def _render(self, page: PageLayout) -> None:
        """Render the pictures of a page; they are known by their part."""
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
                    self.pictures[id(part)] = render(rendered, part.box, part.figure.pixels)

    def _skip(self, page: int, reason: str) -> None:
        self.skipped.append(SkippedPart(f"{self._document_id}: page {page}", reason))
