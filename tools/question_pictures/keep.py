"""Store a question's picture: decoded within bounds, and encoded again.

The stored PNG or JPEG has no metadata (such as the place of a photograph) and nothing else of the file, is upright, and
small enough for any model.
"""

from __future__ import annotations

import hashlib
import io
import threading
from dataclasses import dataclass

from PIL import Image

from backtrail.state.errors import InputRefused
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.open_picture import decode_picture
from backtrail.tools.home import home
from backtrail.tools.question_pictures.owners import is_owner, note_owner

LONGEST_SIDE = 4096
"""Pixels: the maximum of ``picture_side``."""
_FEW_COLOURS = 4096
_ONE = threading.Lock()
"""One decoding at a time per process: the largest picture takes half a gigabyte."""
_ADVICE = "Send a PNG, JPEG, GIF, WebP, BMP, TIFF or AVIF."


@dataclass(frozen=True)
class StoredPicture:
    """A stored picture."""

    sha256: str
    mime: str
    width: int
    height: int


def store_checked_picture(content: bytes, owner: str | None, most: int | None = None) -> StoredPicture:
    """Check a picture, encode it again and store it. CPU work and files: call it in a thread.

    Args:
        owner: who sent it; None if clients are not distinguished.
        most: maximum of bytes.

    Raises:
        InputRefused: it is not a picture, is damaged, or has too many bytes or pixels.
    """
    if most is not None and len(content) > most:
        raise InputRefused(f"The picture has {len(content):,} bytes; at most {most:,} are allowed. Scale it down.")
    with _ONE:
        try:
            picture = decode_picture(io.BytesIO(content))
        except (ValueError, MemoryError) as error:
            known = "cannot identify" not in str(error)  # Pillow's text names an internal object
            why = str(error)[:200] if known else "it is not a picture, or of an unknown format"
            raise InputRefused(f"The picture cannot be read: {why}. {_ADVICE}") from error
        return store_picture(on_white(scaled_down(picture)), owner)


def store_picture(picture: Image.Image, owner: str | None) -> StoredPicture:
    """Encode a decoded picture and store it."""
    picture = scaled_down(picture)
    packed = io.BytesIO()
    # Drawings stay sharp and small as PNG; photographs as JPEG have a tenth of the PNG's size.
    drawn = picture.getcolors(_FEW_COLOURS) is not None
    picture.save(packed, "PNG") if drawn else picture.save(packed, "JPEG", quality=92)
    encoded = packed.getvalue()
    sha256 = hashlib.sha256(encoded).hexdigest()
    BlobStore(home()).put(sha256, encoded)
    if owner is not None:
        note_owner(sha256, owner)
    return StoredPicture(sha256, "image/png" if drawn else "image/jpeg", *picture.size)


def check_stored(sha256: str, owner: str | None) -> None:
    """Refuse a picture that is not stored, or has another owner, with the same message.

    Raises:
        InputRefused: with how to send one.
    """
    try:
        usable = BlobStore(home()).path(sha256).exists() and (owner is None or is_owner(sha256, owner))
    except KeyError:
        usable = False
    if not usable:
        raise InputRefused(
            f"There is no picture {sha256[:80]!r}. Send it within the message, or store it first with POST /pictures "
            "or `backtrail ask --image FILE`."
        )


def scaled_down(picture: Image.Image) -> Image.Image:
    """Scale down to LONGEST_SIDE. Do this first, as each further step makes a copy."""
    if max(picture.size) > LONGEST_SIDE:
        if picture.mode in ("1", "P"):  # palettes cannot be interpolated
            picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
        picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return picture


def on_white(picture: Image.Image) -> Image.Image:
    """Convert to RGB on white."""
    if picture.has_transparency_data:
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, (255, 255, 255, 255)), picture)
    return picture.convert("RGB")
