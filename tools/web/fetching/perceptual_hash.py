"""Perceptual hash of a picture; similar pictures differ in few bits.

The difference hash (Krawetz 2013) in both directions, 128 bits. The package ImageHash has it too, but
brings SciPy and PyWavelets, about 60 MB, for these lines.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

_SIDE = 8
# A difference of brightness below it is noise of compression, of which plain areas have much.
_NOISE = 2
MOST_DIFFERENT_BITS = 12
"""Of the 45 drawings of examples/, no two differ in fewer than 24; scaled, framed or as JPEG, one in at most 8."""


def perceptual_hash(picture: Image.Image) -> int:
    """128 bits: where brightness rises from left to right, and from top to bottom, on a small copy."""
    grey = picture.convert("L")
    across = np.asarray(grey.resize((_SIDE + 1, _SIDE), Image.Resampling.LANCZOS), np.int16)
    down = np.asarray(grey.resize((_SIDE, _SIDE + 1), Image.Resampling.LANCZOS), np.int16)
    rises = np.concatenate([np.diff(across, axis=1).ravel() > _NOISE, np.diff(down, axis=0).ravel() > _NOISE])
    return int.from_bytes(np.packbits(rises).tobytes(), "big")


def look_alike(one: int, other: int) -> bool:
    """Whether two marks are of the same picture, scaled, compressed or framed anew."""
    return (one ^ other).bit_count() <= MOST_DIFFERENT_BITS
