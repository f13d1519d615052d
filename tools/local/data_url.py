"""Decode pictures of data URLs, within bounds. No URL is fetched and no path is opened."""

from __future__ import annotations

import base64
import binascii
import io
from typing import TYPE_CHECKING

from backtrail.tools.local.errors import RequestUnsuitable

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_SIDE = 1024  # pixels, as for hosted models; Qwen-VL makes some 1,300 tokens of such a picture
_MOST_CHARACTERS = 64 * 1024 * 1024
_MOST_PIXELS = 50_000_000
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")


def decode_picture(url: str) -> Image:
    """Decode the picture in a data URL: RGB on white, upright, at most 1,024 pixels per side.

    Raises:
        RequestUnsuitable: it is not a data URL, too large, or not a picture.
    """
    from PIL import Image, ImageOps

    header, comma, packed = url.partition(",")
    if not header.startswith("data:image/") or not header.endswith(";base64") or not comma:
        raise RequestUnsuitable(
            f"A picture must be a data URL (data:image/png;base64,…), not {url[:60]!r}: nothing is fetched or opened."
        )
    if len(packed) > _MOST_CHARACTERS:
        raise RequestUnsuitable(f"A picture of {len(packed):,} characters is too large; scale it down first.")
    try:
        content = base64.b64decode(packed, validate=True)
        with Image.open(io.BytesIO(content), formats=_FORMATS) as opened:
            if opened.width * opened.height > _MOST_PIXELS:  # checked before the pixels are decoded
                raise ValueError(f"{opened.width} x {opened.height} pixels are too many")
            picture = ImageOps.exif_transpose(opened)
            picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            return _on_white(picture)
    except (
        binascii.Error,
        OSError,
        ValueError,
        SyntaxError,  # Pillow's for broken PNG chunks
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as error:
        raise RequestUnsuitable(f"A picture cannot be decoded ({type(error).__name__}: {error}).") from None


def _on_white(picture: Image) -> Image:
    from PIL import Image

    if not picture.has_transparency_data:
        return picture.convert("RGB")
    layer = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer).convert("RGB")
