"""MaxSim, the score of late interaction (Khattab and Zaharia 2020, ColBERT, section 3.3), over many pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.embedders.protocol import Vectors

BLOCK = 64 * 2**20
"""Bytes of a block of pages with its products, in float32 (ours)."""


def max_sim(question: Vectors, pages: Iterable[NDArray[np.float16]]) -> Vectors:
    """Scores [pages] of pages for a question, each the sum over its vectors of the best match in the page.

    Pages are read in blocks, so that memory does not grow with their number; products are in float32.

    Args:
        question: vectors [m, dimension].
        pages: vectors [n, dimension] of each page, n >= 1.
    """
    count, dimension = question.shape
    rows = max(1, BLOCK // (4 * (dimension + count)))
    scores = [np.empty(0, np.float32)]
    for block in _blocks(pages, rows):
        starts = np.cumsum([0, *(len(page) for page in block[:-1])])
        products = question @ np.concatenate(block).astype(np.float32).T
        scores.append(np.maximum.reduceat(products, starts, axis=1).sum(axis=0, dtype=np.float32))
    return np.concatenate(scores)


def _blocks(pages: Iterable[NDArray[np.float16]], rows: int) -> Iterator[list[NDArray[np.float16]]]:
    """Yield the pages in lists of at most that many rows, or of one page that is larger."""
    block: list[NDArray[np.float16]] = []
    held = 0
    for page in pages:
        if block and held + len(page) > rows:
            yield block
            block, held = [], 0
        block.append(page)
        held += len(page)
    if block:
        yield block
