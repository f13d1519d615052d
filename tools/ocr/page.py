"""Prepare a picture file for OCR: decoded within bounds, grey, scaled to a good size."""

from __future__ import annotations

import io
from dataclasses import dataclass

from PIL import Image

from backtrail.tools.corpus.open_picture import decode_picture
from backtrail.tools.ocr.errors import OcrFailed

SMALLEST_SIDE = 12
"""Pixels: less than the height of the smallest readable letters; ours."""

GOOD_SIDE = 1_600
MOST_ENLARGED = 3.0
"""A picture whose longer side is shorter than GOOD_SIDE is enlarged, at most three times.

Tesseract reads letters of 20 to 40 pixels height best; labels of web pictures have 10 to 16. On the demo corpus, 800
pixels wide, it reads 3 words in 100 more at twice the size, and no further ones at three times.
"""

LONGEST_SIDE = 4_000
"""Larger pictures are scaled down: a page of A4 at 300 dpi has 3,500; ours."""


@dataclass(frozen=True)
class ShownPage:
    """A picture prepared for OCR: a grey PNG, ``factor`` times as wide and high."""

    png: bytes
    factor: float


def as_page(picture: bytes) -> ShownPage | None:
    """Prepare a picture for OCR; None if it is too small for words.

    Raises:
        OcrFailed: the file is damaged, or has too many pixels (checked before decoding).
    """
    try:
        decoded = decode_picture(io.BytesIO(picture))
        if min(decoded.size) < SMALLEST_SIDE:
            return None
        factor = _factor(max(decoded.size))
        page = _sized(_grey(decoded), factor)
        packed = io.BytesIO()
        page.save(packed, "PNG", compress_level=1)  # it goes through a pipe, not over a network
    except ValueError as error:
        raise OcrFailed(f"the picture cannot be decoded ({error})") from error
    return ShownPage(packed.getvalue(), factor)


def _grey(picture: Image.Image) -> Image.Image:
    """Convert to grey, on white."""
    if picture.mode.startswith("I"):  # 16 bits per pixel, which Pillow would clip instead of scaling
        return picture.point(lambda value: value * (255 / 65535)).convert("L")
    if not picture.has_transparency_data:
        return picture.convert("L")
    over = picture.convert("RGBA")
    white = Image.new("RGBA", over.size, "white")
    return Image.alpha_composite(white, over).convert("L")


def _factor(longest: int) -> float:
    return min(MOST_ENLARGED, GOOD_SIDE / longest) if longest < GOOD_SIDE else min(1.0, LONGEST_SIDE / longest)


def _sized(page: Image.Image, factor: float) -> Image.Image:
    if factor == 1.0:
        return page
    size = (max(1, round(page.width * factor)), max(1, round(page.height * factor)))
    return page.resize(size, Image.Resampling.LANCZOS)
