"""Keep a picture that came with a question: decoded within bounds, and written anew.

What is kept is a PNG or JPEG of ours: without metadata (where a photograph was taken), without whatever else was in the
file, turned upright, and small enough to be shown to any model.
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
"""Pixels: what ``picture_side`` may ask for at most."""
_FEW_COLOURS = 4096
_ONE = threading.Lock()
"""The largest picture takes half a gigabyte while it is decoded: one at a time in each process."""
_ADVICE = "Send a PNG, JPEG, GIF, WebP, BMP, TIFF or AVIF."


@dataclass(frozen=True)
class KeptPicture:
    """A picture as it is held, by its sha256."""

    sha256: str
    mime: str
    width: int
    height: int


def keep_picture(content: bytes, owner: str | None, most: int | None = None) -> KeptPicture:
    """Check a picture, write it anew and store it. CPU work and files: call it in a thread.

    Args:
        owner: who sent it; None where nobody is kept apart.
        most: bytes that it may have.

    Raises:
        InputRefused: it is none, is damaged, or has too many bytes or pixels.
    """
    if most is not None and len(content) > most:
        raise InputRefused(f"The picture has {len(content):,} bytes; {most:,} may be sent here. Scale it down.")
    with _ONE:
        try:
            picture = decode_picture(io.BytesIO(content))
        except (ValueError, MemoryError) as error:
            known = "cannot identify" not in str(error)  # the rest of that sentence names an object of this process
            why = str(error)[:200] if known else "it is none, or of an unknown format"
            raise InputRefused(f"The picture cannot be read: {why}. {_ADVICE}") from error
        return store_picture(on_white(scaled_down(picture)), owner)


def store_picture(picture: Image.Image, owner: str | None) -> KeptPicture:
    """Write a decoded picture and store it."""
    picture = scaled_down(picture)
    packed = io.BytesIO()
    # Drawings stay sharp and small as PNG, photographs are a tenth of that as JPEG.
    drawn = picture.getcolors(_FEW_COLOURS) is not None
    picture.save(packed, "PNG") if drawn else picture.save(packed, "JPEG", quality=92)
    kept = packed.getvalue()
    sha256 = hashlib.sha256(kept).hexdigest()
    BlobStore(home()).put(sha256, kept)
    if owner is not None:
        note_owner(sha256, owner)
    return KeptPicture(sha256, "image/png" if drawn else "image/jpeg", *picture.size)


def check_held(sha256: str, owner: str | None) -> None:
    """Refuse a picture that is not held, or is somebody else's: both are answered alike.

    Raises:
        InputRefused: with how to send one.
    """
    try:
        held = BlobStore(home()).path(sha256).exists() and (owner is None or is_owner(sha256, owner))
    except KeyError:
        held = False
    if not held:
        raise InputRefused(
            f"There is no picture {sha256[:80]!r}. Send it within the message, or store it first with POST /pictures "
            "or `backtrail ask --image FILE`."
        )


def scaled_down(picture: Image.Image) -> Image.Image:
    """No longer than the longest side; before anything else is made of it, as each step makes a copy."""
    if max(picture.size) > LONGEST_SIDE:
        if picture.mode in ("1", "P"):  # their few colours cannot be mixed
            picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
        picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return picture


def on_white(picture: Image.Image) -> Image.Image:
    """In RGB; what is transparent becomes white."""
    if picture.has_transparency_data:
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, (255, 255, 255, 255)), picture)
    return picture.convert("RGB")
