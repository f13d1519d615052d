"""Arrays on disk are read as numpy reads them, by any number of threads at once."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.mapped_array import load_array, map_array


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12, dtype=np.float32).reshape(4, 3),
        np.arange(12, dtype=np.uint64).reshape(4, 3).T,
        np.arange(5, dtype=np.int64),
        np.zeros((0, 7), np.float32),
        np.array([True, False]),
        np.array(["ä", "long"]),
    ],
)
def test_an_array_is_read_as_it_was_written(array: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved, ours = tmp_path / "saved.npy", tmp_path / "ours.npy"
    np.save(saved, array)
    write_array(ours, array)
    # Two threads that build trees of Python's syntax at once fail each other, which is why none may be built.
    monkeypatch.setattr(ast, "literal_eval", None)
    for file in (saved, ours):
        for read in (map_array, load_array):
            held = read(file)
            assert held.dtype == array.dtype
            assert np.array_equal(held, array)


@pytest.mark.parametrize("content", [b"", b"no array at all", b"\x93NUMPY\x01\x00\x08\x00{'a': 1}"])
def test_what_is_no_array_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.npy is "):
        map_array(tmp_path / "x.npy")


def test_an_array_that_ends_early_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    write_array(file, np.arange(9))
    file.write_bytes(file.read_bytes()[:-8])
    with pytest.raises(ValueError, match="mmap length"):
        map_array(file)
