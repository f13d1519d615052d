"""The scan of signs: whatever lies in the rows, it gives what sorting all of them gives."""

from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backtrail.tools.vector_stores import hamming_scan
from backtrail.tools.vector_stores.hamming_scan import Closest, closest, distances


def plainly(found: NDArray[np.uint16], wanted: int) -> list[int]:
    """All rows by distance, equal ones in order: the wanted ones and what ties with the last, at most twice as many."""
    order = sorted(range(len(found)), key=lambda row: (found[row], row))
    farthest = found[order[min(wanted, len(order)) - 1]]
    return sorted(row for row in order[: 2 * wanted] if found[row] <= farthest)


@settings(max_examples=100, deadline=None)
@given(
    values=st.lists(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3), min_size=2, max_size=2), min_size=1),
    repeated=st.integers(1, 30),
    farthest_first=st.booleans(),
    wanted=st.integers(1, 40),
    query=st.lists(st.integers(0, 3), min_size=2, max_size=2),
    threads=st.integers(1, 4),
)
def test_the_closest_are_those_of_sorting_all(values, repeated, farthest_first, wanted, query, threads):
    columns = list(np.repeat(np.array(values, np.uint64), repeated, axis=0).T.copy())
    words = np.array(query, np.uint64)
    found = distances(columns, words, slice(None))
    assert found.tolist() == [
        sum((int(value) ^ int(word)).bit_count() for value, word in zip(row, words, strict=True))
        for row in zip(*columns, strict=True)
    ]
    if farthest_first:
        order = np.argsort(-found.astype(int), kind="stable")
        columns, found = [column[order] for column in columns], found[order]
    with (
        patch.object(hamming_scan, "_BLOCK", 16),
        patch.object(hamming_scan, "_WORTH_A_THREAD", 50),
        patch.object(hamming_scan, "_processors", lambda: threads),
    ):
        assert closest(columns, words, wanted).tolist() == plainly(found, wanted)


def test_what_is_held_does_not_grow_with_the_rows():
    held = Closest(10)
    for block in range(100):  # each nearer than all before, and all alike
        held.add(block * 1_000, np.full(1_000, 500 - block, np.uint16))
        assert sum(map(len, held._rows)) <= 80
    assert held.rows().tolist() == list(range(99_000, 99_020))
