"""Arrays of a generation, mapped into memory: what no search touches takes none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def map_array(file: Path) -> NDArray[Any]:
    """Map a ``.npy`` file for reading.

    Raises:
        FileNotFoundError: it is missing.
        ValueError: it is no array, or shorter than it says.
    """
    try:
        return np.asarray(np.load(file, mmap_mode="r"))
    except ValueError:
        held: NDArray[Any] = np.load(file)  # an empty array cannot be mapped
        if held.size:
            raise
        return held
    except EOFError as error:
        raise ValueError(f"{file} is empty") from error


def map_bytes(file: Path) -> NDArray[np.uint8]:
    """Map a file as it is. FileNotFoundError where it is missing."""
    if not file.stat().st_size:
        return np.empty(0, np.uint8)
    return np.asarray(np.memmap(file, np.uint8, "r"))
