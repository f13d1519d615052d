"""Open a stored picture for an encoder, within the limits of all pictures."""

from __future__ import annotations

import struct
import warnings
import zlib
from pathlib import Path
from typing import BinaryIO

from PIL import Image, ImageOps

from backtrail.tools.corpus.errors import PictureUnreadable

MAX_PIXELS = 50_000_000
"""Decoded, 50 megapixels take 150 to 200 MB."""

# without EPS and other formats for which Pillow starts programs or that browsers do not show
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF")
_BROKEN = (OSError, SyntaxError, ValueError, EOFError, TypeError, KeyError, IndexError, OverflowError, RuntimeError)


def open_picture(path: Path) -> Image.Image:
    """Decode a stored picture, upright; of an animation the first frame.

    Raises:
        PictureUnreadable: it is missing, damaged or has too many pixels (checked before decoding).
    """
    try:
        return decode_picture(path)
    except ValueError as error:
        raise PictureUnreadable(path.name, str(error)) from error


def decode_picture(file: Path | BinaryIO) -> Image.Image:
    """Decode a file that is not stored yet, as ``open_picture``. Raises ValueError with the reason."""
    Image.init()  # a build of Pillow may lack a format
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about metadata, which is not used, and sizes, which are checked here
            with Image.open(file, formats=[kind for kind in FORMATS if kind in Image.OPEN]) as image:
                if image.width * image.height > MAX_PIXELS:
                    size = f"{image.width} x {image.height} pixels"
                    raise ValueError(f"{size}, more than {MAX_PIXELS // 1_000_000} megapixels")
                return ImageOps.exif_transpose(image)
    except (*_BROKEN, Image.DecompressionBombError, struct.error, zlib.error) as error:
        raise ValueError(str(error)) from error
