"""Write ``TextRows``: rows that stay are copied in runs of bytes, new ones appended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.text_rows import TextRows, codes_of, codes_that_stay, hashes_of
from backtrail.tools.arrays.vector_rows import Mask

_COPIED = 1 << 24  # bytes at once


class TextRowsWriter:
    """Writer of the files of ``TextRows``; a context manager, at whose end they are complete."""

    def __init__(self, folder: Path, name: str, earlier: TextRows | None = None, stay: Mask | None = None) -> None:
        """Start with the rows of earlier texts that stay: all without a mask."""
        self._folder, self._name = folder, name
        self._earlier = earlier
        self._stay = np.ones(len(earlier), np.bool_) if earlier is not None and stay is None else stay
        self._lengths = [np.empty(0, np.int64)]
        self._hashes = [np.empty(0, np.uint64)]

    def __enter__(self) -> TextRowsWriter:
        """Write the rows that stay."""
        self._out = (self._folder / f"{self._name}.utf8").open("wb")
        try:
            if self._earlier is not None and self._stay is not None:
                for block in _runs(self._earlier, self._stay):
                    self._out.write(block)
                self._lengths.append(np.diff(self._earlier.start)[self._stay])
        except BaseException:
            self._out.close()
            raise
        return self

    def add(self, texts: Sequence[str]) -> None:
        """Append texts."""
        encoded = [text.encode() for text in texts]
        self._out.write(b"".join(encoded))
        self._lengths.append(np.fromiter(map(len, encoded), np.int64, len(encoded)))
        self._hashes.append(hashes_of(texts))

    def __exit__(self, kind: object, *_: object) -> None:
        """Write offsets and codes."""
        self._out.close()
        if kind is not None:
            return
        start = np.concatenate([[0], np.cumsum(np.concatenate(self._lengths))]).astype(np.int64)
        write_array(self._folder / f"{self._name}.start.npy", start)
        hashes = np.concatenate(self._hashes)
        new = codes_of(hashes, len(start) - 1 - len(hashes))
        if self._earlier is not None and self._stay is not None:
            kept = codes_that_stay(self._earlier.codes, self._stay)
            new = np.insert(kept, np.searchsorted(kept, new), new)
        write_array(self._folder / f"{self._name}.codes.npy", new)


def _runs(texts: TextRows, stay: Mask) -> Iterator[bytes]:
    """Yield the bytes of the rows that stay, in runs of adjacent rows."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], stay, [False]]).astype(np.int8)))
    for first, stop in texts.start[edges].reshape(-1, 2).tolist():
        for place in range(first, stop, _COPIED):
            yield texts.content[place : min(place + _COPIED, stop)].tobytes()


def write_text_rows(folder: Path, name: str, texts: Iterable[Sequence[str]]) -> None:
    """Write texts from blocks."""
    with TextRowsWriter(folder, name) as out:
        for block in texts:
            out.add(block)
