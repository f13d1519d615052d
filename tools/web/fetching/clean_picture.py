"""Clean a downloaded picture: decode it within bounds, trim its white border, encode it again.

CogPlanner (4.2.2) removes white space and copies of the query's picture by rules; these are ours.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass

from PIL import Image, ImageChops, ImageStat

from backtrail.tools.corpus.open_picture import decode_picture
from backtrail.tools.web.errors import Refused
from backtrail.tools.web.fetching.perceptual_hash import perceptual_hash

SHORTEST_SIDE = 64
"""Pixels; smaller ones are icons, buttons and counters."""
LONGEST_SIDE = 1600
_WHITE = (255, 255, 255)
_NEARLY_WHITE = 16
# Standard deviation of brightness; a plain area with JPEG noise is below it.
_PLAIN = 4.0


@dataclass(frozen=True)
class CleanPicture:
    """A cleaned picture: PNG or JPEG without metadata, with its perceptual hash (``mark``)."""

    content: bytes
    sha256: str
    mark: int


def clean_picture(content: bytes, name: str) -> CleanPicture:
    """Clean a picture. CPU work: call it in a thread.

    Raises:
        Refused: it cannot be decoded, is too large or too small, or shows nothing.
    """
    picture = _trimmed(_decoded(content, name))
    if min(picture.size) < SHORTEST_SIDE:
        raise Refused(f"{name} is not kept: {picture.width} x {picture.height} pixels are too few.")
    if ImageStat.Stat(picture.convert("L")).stddev[0] < _PLAIN:
        raise Refused(f"{name} is not kept: it is blank.")
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    packed = io.BytesIO()
    # Drawings stay sharp and small as PNG; photographs as JPEG have a tenth of the PNG's size.
    if picture.getcolors(4096) is not None:
        picture.save(packed, "PNG", optimize=True)
    else:
        picture.save(packed, "JPEG", quality=90)
    encoded = packed.getvalue()
    return CleanPicture(encoded, hashlib.sha256(encoded).hexdigest(), perceptual_hash(picture))


def mark_of(content: bytes, name: str) -> int:
    """Return the perceptual hash of a picture, trimmed. Raises Refused if it cannot be decoded."""
    return perceptual_hash(_trimmed(_decoded(content, name)))


def _decoded(content: bytes, name: str) -> Image.Image:
    """Decode to RGB on white."""
    try:
        picture = decode_picture(io.BytesIO(content))
    except (ValueError, MemoryError) as error:
        raise Refused(f"{name} is not kept: it cannot be read as a picture ({error}).") from error
    if picture.has_transparency_data:
        picture = picture.convert("RGBA")
        ground = Image.new("RGBA", picture.size, (*_WHITE, 255))
        picture = Image.alpha_composite(ground, picture)
    return picture.convert("RGB")


def _trimmed(picture: Image.Image) -> Image.Image:
    """Trim the white border; an entirely white picture is returned unchanged."""
    darker = ImageChops.difference(picture, Image.new("RGB", picture.size, _WHITE)).convert("L")
    box = darker.point([0] * (_NEARLY_WHITE + 1) + [255] * (255 - _NEARLY_WHITE)).getbbox()
    return picture.crop(box) if box else picture
