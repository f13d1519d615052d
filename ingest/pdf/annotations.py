"""Link annotations and outline of a PDF, with their targets."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from backtrail.ingest.pdf.geometry import Box, Frame

_MAX_JUMPS = 5000  # per page
_MAX_ENTRIES = 5000  # per outline
_MAX_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a PDF: the page, counted from 1, and y in the page's own coordinates (None: its top)."""

    page: int
    y: float | None = None


@dataclass(frozen=True, slots=True)
class LinkAnnotation:
    """A link on a page: to a position in this file, an address, or a position in another file."""

    box: Box
    place: Place | None = None
    address: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the outline; the top level is 0."""

    title: str
    level: int
    place: Place | None


def read_jumps(document: pypdfium2.PdfDocument, page: Any, frame: Frame) -> list[LinkAnnotation]:
    """Return the links of a page that have a target."""
    jumps: list[LinkAnnotation] = []
    position, link, rect = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    while len(jumps) < _MAX_JUMPS and pdfium.FPDFLink_Enumerate(page, position, link):
        if not pdfium.FPDFLink_GetAnnotRect(link, rect):
            continue
        box = frame.box(rect.left, rect.bottom, rect.right, rect.top)
        place = _place(document, pdfium.FPDFLink_GetDest(document, link))
        action = pdfium.FPDFLink_GetAction(link)
        if place is not None:
            jumps.append(LinkAnnotation(box, place))
        elif action:
            jumps += _of_action(document, action, box)
    return jumps


def _of_action(document: pypdfium2.PdfDocument, action: Any, box: Box) -> Iterator[LinkAnnotation]:
    kind = pdfium.FPDFAction_GetType(action)
    if kind == pdfium.PDFACTION_GOTO:
        place = _place(document, pdfium.FPDFAction_GetDest(document, action))
        if place is not None:
            yield LinkAnnotation(box, place)
    elif kind == pdfium.PDFACTION_URI:
        length = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
        text = _text(length, lambda buffer: pdfium.FPDFAction_GetURIPath(document, action, buffer, length))
        if text:
            yield LinkAnnotation(box, address=text)
    elif kind in (pdfium.PDFACTION_REMOTEGOTO, pdfium.PDFACTION_LAUNCH):
        length = pdfium.FPDFAction_GetFilePath(action, None, 0)
        text = _text(length, lambda buffer: pdfium.FPDFAction_GetFilePath(action, buffer, length))
        place = _place(document, pdfium.FPDFAction_GetDest(document, action)) if text else None
        if text:
            yield LinkAnnotation(box, place, file=text)


def _text(length: int, fill: Any) -> str:
    if not 1 < length < 20_000:
        return ""
    buffer = ctypes.create_string_buffer(length)
    fill(buffer)
    return " ".join(buffer.value.decode("utf-8", "replace").split())


def _place(document: pypdfium2.PdfDocument, destination: Any) -> Place | None:
    if not destination:
        return None
    page = pdfium.FPDFDest_GetDestPageIndex(document, destination)
    if page < 0:
        return None
    has_x, has_y, has_zoom = (ctypes.c_int() for _ in range(3))
    x, y, zoom = (ctypes.c_float() for _ in range(3))
    found = pdfium.FPDFDest_GetLocationInPage(destination, has_x, has_y, has_zoom, x, y, zoom)
    return Place(page + 1, y.value if found and has_y.value else None)


def read_outline(document: pypdfium2.PdfDocument) -> list[Entry]:
    """Return the outline in order; cycles are read once."""
    entries: list[Entry] = []
    seen: set[int] = set()

    def add(parent: Any, level: int) -> None:
        bookmark = pdfium.FPDFBookmark_GetFirstChild(document, parent)
        while bookmark and len(entries) < _MAX_ENTRIES:
            address = ctypes.cast(bookmark, ctypes.c_void_p).value
            if address is None or address in seen:
                return
            seen.add(address)
            title = _title(bookmark)
            if title:
                entries.append(Entry(title, level, _bookmarked(document, bookmark)))
            if level < _MAX_DEPTH:
                add(bookmark, level + 1)
            bookmark = pdfium.FPDFBookmark_GetNextSibling(document, bookmark)

    add(None, 0)
    return entries


def _title(bookmark: Any) -> str:
    length = pdfium.FPDFBookmark_GetTitle(bookmark, None, 0)
    if not 2 < length < 4000:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFBookmark_GetTitle(bookmark, buffer, length)
    text = buffer.raw[: length - 2].decode("utf-16-le", "replace")
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _bookmarked(document: pypdfium2.PdfDocument, bookmark: Any) -> Place | None:
    place = _place(document, pdfium.FPDFBookmark_GetDest(document, bookmark))
    action = pdfium.FPDFBookmark_GetAction(bookmark) if place is None else None
    if action and pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_GOTO:
        return _place(document, pdfium.FPDFAction_GetDest(document, action))
    return place
