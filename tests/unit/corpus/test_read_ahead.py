"""What the disk is asked for before scattered rows are read: their pages, and no others."""

from __future__ import annotations

import mmap
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backtrail.tools.arrays import read_ahead
from backtrail.tools.arrays.read_ahead import ask_for
from backtrail.tools.arrays.vector_rows import VectorRows, open_vectors, take


@pytest.fixture
def file(tmp_path: Path) -> Path:
    np.save(tmp_path / "rows.npy", np.random.default_rng(1).normal(size=(500, 300)).astype(np.float32))
    return tmp_path / "rows.npy"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.integers(0, 399), max_size=60), shared=st.booleans())
def test_the_pages_of_the_rows_are_asked_for_once(file: Path, rows: list[int], shared: bool) -> None:
    stored = open_vectors(file.parent, "rows")
    assert isinstance(stored, np.ndarray)
    vectors = VectorRows(stored, np.arange(100, 500)[::-1]) if shared else stored[50:]
    slots = [499 - row for row in rows] if shared else [50 + row for row in rows]
    begin = file.stat().st_size - stored.nbytes
    expected: set[int] = set()
    for slot in slots:
        first = begin + 1_200 * slot
        expected |= {first // mmap.PAGESIZE, (first + 1_199) // mmap.PAGESIZE}
    with patch.object(read_ahead, "LARGE", 0), patch.object(read_ahead, "_ask") as asked:
        ask_for(np.load(file), np.array(slots, np.int64))  # asks for nothing: it is in memory
        found = take(vectors, np.array(rows, np.int64))
        pages = [
            page
            for first, length in (call.args[1:] for call in asked.mock_calls)
            for page in range(first // mmap.PAGESIZE, (first + length) // mmap.PAGESIZE)
        ]
    assert np.array_equal(found, np.load(file)[slots])
    assert pages == sorted(expected)
