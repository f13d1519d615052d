"""Embed each distinct text once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def distinct_texts(texts: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    """Return the distinct texts in order of first appearance, and the index of each input among them [n]."""
    index: dict[str, int] = {}
    positions = np.fromiter((index.setdefault(text, len(index)) for text in texts), dtype=np.intp, count=len(texts))
    return list(index), positions
