"""A lexical index of the earliest layouts: bm25s kept what each word adds to the score of each row, and no counts.

It is searched as it is. No change can build upon it: scores depend on all rows, so the index is made anew then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from backtrail.tools.arrays.mapped_array import map_array
from backtrail.tools.corpus.search.segments import Scores, Segments


class WeighedIndex(Segments):
    """What words add to scores, mapped; the vocabulary is read into memory. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """Open the index.

        Raises:
            OSError: a file is missing.
            ValueError: the files do not fit together.
        """
        super().__init__([])
        self.rows = int(json.loads((folder / "params.index.json").read_bytes())["num_docs"])
        self._words: dict[str, int] = json.loads((folder / "vocab.index.json").read_bytes())
        files = ("indptr.csc.index.npy", "indices.csc.index.npy", "data.csc.index.npy")
        self._start, self._rows, self._values = (map_array(folder / file) for file in files)
        if not len(self._rows) == len(self._values) == self._start[-1]:
            raise ValueError(f"the files in {folder} do not fit together")

    def __contains__(self, word: object) -> bool:
        """Whether a row has a word."""
        return word in self._words

    def vocabulary(self) -> Iterator[str]:
        """The words."""
        return iter(self._words)

    def scores(self, tokens: Sequence[str]) -> Scores | None:
        """BM25 score of every row [n] for the words of a query; None when no row has any of them."""
        known = [self._words[token] for token in tokens if token in self._words]
        if not known:
            return None
        scores = np.zeros(self.rows, np.float32)
        for number in known:
            entries = slice(int(self._start[number]), int(self._start[number + 1]))
            scores[self._rows[entries]] += self._values[entries]
        return scores
