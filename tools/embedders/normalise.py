"""L2 normalisation of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from backtrail.tools.embedders.protocol import Vectors

SMALLEST_NORM = 1e-12


def normalise_rows(rows: ArrayLike) -> Vectors:
    """Scale rows [n, d] to unit length as float32; a row of zeros stays zero instead of becoming NaN."""
    matrix = np.asarray(rows, dtype=np.float32)
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.maximum(norms, SMALLEST_NORM)
