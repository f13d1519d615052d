"""Worker process that renders pages of PDF files, so that a hostile file cannot end the server.

Takes jobs (path, page number from 1, box or None) and answers each with a PNG or the raised error; a job without a page
number is answered with the number of pages.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import ImageDraw

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.pdf.geometry import Box
from backtrail.ingest.worker_process import serve

SECONDS = 10
"""Processor seconds for one page (ours): people wait for it."""

MEMORY = 2 * 2**30
"""Bytes of the process."""

LONGEST_SIDE = 1_600
"""Pixels: print of eight points is readable (ours)."""

_LINE, _ROOM = "#c2571a", 4.0
_MOST_OF_A_PAGE = 0.9
"""Share of the page above which a box is not drawn (ours)."""
_BROKEN = (pypdfium2.PdfiumError, ValueError, OverflowError, ZeroDivisionError, MemoryError, OSError)


def main() -> None:
    """Serve jobs until the input ends."""
    serve(_draw, SECONDS, MEMORY)


def _draw(job: tuple[Path, int | None, Box | None], entered: Callable[[int], None]) -> bytes | int:
    path, number, box = job
    try:
        with closing(pypdfium2.PdfDocument(path)) as file:
            if number is None:
                return len(file)
            if not 1 <= number <= len(file):
                raise UnreadableSource(str(path), f"it has no page {number}", "Ingest it again")
            return _drawn(file[number - 1], box)
    except _BROKEN as error:
        raise UnreadableSource(str(path), f"the page cannot be drawn ({error})", "Ingest it again") from error


def _drawn(page: pypdfium2.PdfPage, box: Box | None) -> bytes:
    scale: Any = LONGEST_SIDE / max(page.get_width(), page.get_height(), 1.0)
    picture = page.render(scale=scale).to_pil().convert("RGB")
    if box is not None and not _covers(_within(box, scale, picture.size), picture.size):
        ImageDraw.Draw(picture).rectangle(_within(box, scale, picture.size), outline=_LINE, width=4)
    stream = io.BytesIO()
    picture.save(stream, format="PNG", optimize=False, compress_level=6)
    return stream.getvalue()


def _covers(shown: list[float], size: tuple[int, int]) -> bool:
    """Whether a box covers almost the whole page, as of a scan, so that marking it is useless."""
    return (shown[2] - shown[0]) * (shown[3] - shown[1]) >= _MOST_OF_A_PAGE * size[0] * size[1]


def _within(box: Box, scale: float, size: tuple[int, int]) -> list[float]:
    """Return the box in pixels with a margin, clipped to the page."""
    edges = (box[0] - _ROOM, box[1] - _ROOM, box[2] + _ROOM, box[3] + _ROOM)
    return [min(max(0.0, edge * scale), side - 1.0) for edge, side in zip(edges, size * 2, strict=True)]


if __name__ == "__main__":
    main()
