"""From a picture file to the page that OCR is shown: decoded within bounds, grey, and of a size it reads well."""

from __future__ import annotations

import io
from dataclasses import dataclass

from PIL import Image

from backtrail.tools.corpus.open_picture import decode_picture
from backtrail.tools.ocr.errors import OcrFailed

SMALLEST_SIDE = 12
"""Pixels. Less than the height of the smallest letters that are read; ours."""

GOOD_SIDE = 1_600
MOST_ENLARGED = 3.0
"""A picture whose longer side is shorter than GOOD_SIDE is enlarged, at most three times.

Tesseract reads letters best at 20 to 40 pixels of height; labels of web pictures have 10 to 16. Measured on the
demo corpus, 800 pixels wide: 3 words in 100 more are read at twice the size, and not one more at three times.
"""

LONGEST_SIDE = 4_000
"""Larger pictures are scaled down: a page of A4 at 300 dots an inch has 3,500; ours."""


@dataclass(frozen=True)
class ShownPage:
    """What OCR is shown of a picture: a grey PNG, ``factor`` times as wide and high."""

    png: bytes
    factor: float


def as_page(picture: bytes) -> ShownPage | None:
    """The page that OCR is shown; None for a picture too small to hold words.

    Raises:
        OcrFailed: the file is damaged, or has more pixels than pictures may have (seen before decoding).
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
    """In shades of grey, on white where the picture is transparent."""
    if picture.mode.startswith("I"):  # 16 bits a pixel, of which Pillow would show the dark ones only
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
