"""Batches bounded by padded tokens rather than rows, longest texts first.

Sorting by length keeps padding near zero. The first batch is the largest, so that the runtime's memory
arena is sized once instead of growing batch by batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def token_batches(lengths: Sequence[int], most_tokens: int) -> Iterator[NDArray[np.intp]]:
    """Yield row indices of batches whose rows times longest length stay within ``most_tokens``.

    A row longer than ``most_tokens`` is a batch by itself. Every index is yielded exactly once.
    """
    order = np.argsort(-np.asarray(lengths, dtype=np.int64), kind="stable")
    start = 0
    while start < len(order):
        longest = max(1, lengths[order[start]])
        rows = max(1, most_tokens // longest)
        yield order[start : start + rows]
        start += rows


def padded(tokens: Sequence[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return token ids [rows, longest], zero-padded on the right, and the mask of real tokens, same shape."""
    longest = max(len(row) for row in tokens)
    ids = np.zeros((len(tokens), longest), dtype=np.int32)
    mask = np.zeros_like(ids)
    for at, row in enumerate(tokens):
        ids[at, : len(row)] = row
        mask[at, : len(row)] = 1
    return ids, mask
