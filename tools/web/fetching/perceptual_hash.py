"""Perceptual hash of a picture; similar pictures differ in few bits.

The difference hash (Krawetz 2013) in both directions, 128 bits. The package ImageHash has it too, but
installs SciPy and PyWavelets, about 60 MB.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

_SIDE = 8
# Smaller differences of brightness are compression noise, which plain areas have much of.
_NOISE = 2
MOST_DIFFERENT_BITS = 12
"""The 45 drawings of examples/ differ from each other in at least 24 bits, from scaled, framed or JPEG copies in at
most 8."""


def perceptual_hash(picture: Image.Image) -> int:
    """Return 128 bits: where brightness rises from left to right, and from top to bottom, in a small copy."""
    grey = picture.convert("L")
    across = np.asarray(grey.resize((_SIDE + 1, _SIDE), Image.Resampling.LANCZOS), np.int16)
    down = np.asarray(grey.resize((_SIDE, _SIDE + 1), Image.Resampling.LANCZOS), np.int16)
    rises = np.concatenate([np.diff(across, axis=1).ravel() > _NOISE, np.diff(down, axis=0).ravel() > _NOISE])
    return int.from_bytes(np.packbits(rises).tobytes(), "big")


def look_alike(one: int, other: int) -> bool:
    """Whether two hashes are of the same picture, possibly scaled, compressed or framed."""
    return (one ^ other).bit_count() <= MOST_DIFFERENT_BITS
