"""Texts by row, on disk: ids of a layer without a Python object each, looked up by hash.

``<name>.utf8`` is the concatenated texts, ``<name>.start.npy`` (int64 [n + 1]) the offset of each text.
``<name>.codes.npy`` (uint64 [n], sorted) is the index: 32 bits of a text's hash above its row. Rows with the same hash
are told apart by their texts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.arrays.mapped_array import map_array, map_bytes

Rows = NDArray[np.int64]
Codes = NDArray[np.uint64]
_ROW = np.uint64(0xFFFFFFFF)
_HIGH = np.uint64(32)


class TextRows:
    """Texts by row, and rows by text (the first of equal texts). Thread-safe."""

    def __init__(self, content: NDArray[np.uint8], start: Rows, codes: Codes) -> None:
        """Use arrays in the format on disk."""
        self.content, self.start, self.codes = content, start, codes
        self._sorted = memoryview(codes)  # pyright: ignore[reportArgumentType]  # arrays are buffers

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.start) - 1

    def __iter__(self) -> Iterator[str]:
        """The texts in order."""
        return (self[row] for row in range(len(self)))

    @overload
    def __getitem__(self, row: int | np.integer[Any]) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | np.integer[Any] | slice) -> str | list[str]:
        """The text of a row, or those of a slice of rows without a step."""
        if isinstance(row, slice):
            first, stop, _ = row.indices(len(self))
            return self.take(range(first, stop))
        return self.content[self.start[row] : self.start[row + 1]].tobytes().decode()

    def take(self, rows: Sequence[int] | Rows) -> list[str]:
        """The texts of rows, in their order."""
        chosen = np.asarray(rows, np.int64)
        content = self.content
        limits = zip(self.start[chosen].tolist(), self.start[chosen + 1].tolist(), strict=True)
        return [content[first:stop].tobytes().decode() for first, stop in limits]

    def find(self, texts: Collection[str]) -> dict[str, int]:
        """The row of each text that exists, in the order of ``texts``."""
        wanted = hashes_of(texts)
        places = np.searchsorted(self.codes, wanted << _HIGH).tolist()
        rows = map(self._row, texts, wanted.tolist(), places)
        return {text: row for text, row in zip(texts, rows, strict=True) if row >= 0}

    def row_of(self, text: str) -> int | None:
        """The row of a text; None where it does not exist."""
        code = int(hashes_of((text,))[0])
        # bisect, because numpy releases the lock and waits for other threads before it returns
        row = self._row(text, code, bisect_left(self._sorted, code << 32))
        return row if row >= 0 else None

    def _row(self, text: str, code: int, place: int) -> int:
        """The row of a text among those with its hash, which start at a place of the codes; -1 for none."""
        encoded = text.encode("utf-8", "surrogatepass")
        while place < len(self.codes):
            here = int(self.codes[place])
            if here >> 32 != code:
                break
            row = here & 0xFFFFFFFF
            if self.content[self.start[row] : self.start[row + 1]].tobytes() == encoded:
                return row
            place += 1
        return -1


def hashes_of(texts: Iterable[str]) -> Codes:
    """32 bits of each text's hash, the same in every process [n]."""
    digests = b"".join(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest() for text in texts)
    return np.frombuffer(digests, "<u4").astype(np.uint64)


def codes_of(hashes: Codes, first: int = 0) -> Codes:
    """Sorted codes of the rows from ``first`` on, by the hashes of their texts."""
    codes = hashes << _HIGH | np.arange(first, first + len(hashes), dtype=np.uint64)
    codes.sort()
    return codes


def codes_that_stay(codes: Codes, stay: NDArray[np.bool_]) -> Codes:
    """The sorted codes of the rows that stay, with their new row numbers."""
    rows = (codes & _ROW).astype(np.int64)
    ranks = np.cumsum(stay, dtype=np.int64) - 1
    kept = stay[rows]
    return codes[kept] & ~_ROW | ranks[rows[kept]].astype(np.uint64)


def open_text_rows(folder: Path, name: str) -> TextRows:
    """Map the texts of a folder.

    Raises:
        FileNotFoundError: a file is missing.
        ValueError: the files do not match.
    """
    content = map_bytes(folder / f"{name}.utf8")
    start, codes = map_array(folder / f"{name}.start.npy"), map_array(folder / f"{name}.codes.npy")
    if not len(start) or len(codes) != len(start) - 1 or start[-1] != len(content):
        raise ValueError(f"{folder}: the files of {name} do not match")
    return TextRows(content, start, codes)
