"""Render pictures of a PDF page as PNG, with all filters and masks applied."""

from __future__ import annotations

import io
from typing import Any

import pypdfium2

from backtrail.ingest.pdf.geometry import Box

MAX_PICTURES = 100
"""Maximum per page."""

_MAX_RENDERED = 8_000_000  # pixels
_MAX_SCALE = 4.0
_DRAWING_SCALE = 2.0  # pixels per point of vector drawings


def render(page: pypdfium2.PdfPage, box: Box, pixels: int) -> bytes:
    """Render a part of a page as PNG, at about the resolution of the embedded picture.

    Args:
        page: pdfium's page.
        box: in points from the upper left corner of the displayed page.
        pixels: the width of the embedded picture; 0 for drawings.

    Raises:
        pypdfium2.PdfiumError: pdfium cannot render it.
    """
    width, height = max(box[2] - box[0], 1.0), max(box[3] - box[1], 1.0)
    wanted = max(pixels / width, 1.0) if pixels else _DRAWING_SCALE
    factor: Any = min(wanted, _MAX_SCALE, (_MAX_RENDERED / (width * height)) ** 0.5)
    margins: Any = (box[0], page.get_height() - box[3], page.get_width() - box[2], box[1])
    bitmap = page.render(scale=factor, crop=tuple(max(0.0, edge) for edge in margins))
    stream = io.BytesIO()
    bitmap.to_pil().convert("RGB").save(stream, format="PNG")
    bitmap.close()
    return stream.getvalue()
