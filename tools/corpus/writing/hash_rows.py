"""Hashes by row, on disk, append-only and looked up without a Python object each.

``<name>.hashes`` is their concatenation. The index consists of sorted runs of codes (32 bits of a hash above its row),
merged in tiers as they grow: small ones in memory, others in ``<name>.<first>-<end>.codes``. A missing run is rebuilt
from the hashes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.arrays.mapped_array import map_bytes
from backtrail.tools.arrays.text_rows import Codes, Rows, codes_of

Hashes = NDArray[np.uint8]
_ROW, _HIGH = np.uint64(0xFFFFFFFF), np.uint64(32)
_TIER = 4  # a run is merged with the previous one unless that has this many times its rows (ours)
_KEPT = 65_536  # rows from which a run is stored in a file (ours)


class _Run(NamedTuple):
    first: int
    codes: Codes

    @property
    def end(self) -> int:
        return self.first + len(self.codes)


class HashRows:
    """The row of each hash, of a fixed width in bytes. Open, write or refresh one instance at a time."""

    def __init__(self, folder: Path, name: str, width: int) -> None:
        self._folder, self._name, self._width = folder, name, width
        self._file = folder / f"{name}.hashes"
        self._file.touch()
        self._runs: list[_Run] = []
        self._held = np.empty((0, width), np.uint8)
        for unfinished in folder.glob(f"{name}.*.unfinished"):
            unfinished.unlink(missing_ok=True)
        self.refresh()

    def __len__(self) -> int:
        """Rows, as of the last ``refresh`` or ``append``."""
        return len(self._held)

    def matrix(self, hashes: Sequence[bytes]) -> Hashes:
        """Hashes as an array [n, width]. ValueError for another width."""
        if any(len(one) != self._width for one in hashes):
            raise ValueError(f"{self._file.name} contains hashes of {self._width} bytes.")
        return np.frombuffer(b"".join(hashes), np.uint8).reshape(-1, self._width)

    def held(self) -> Hashes:
        """All hashes by row [rows, width]; blank rows are zero."""
        return self._held

    def refresh(self) -> None:
        """Read what another instance appended."""
        count = self._file.stat().st_size // self._width
        if count < len(self._held):
            self._runs = []
        if count != len(self._held):
            self._held = map_bytes(self._file)[: count * self._width].reshape(-1, self._width)
            self._follow()

    def find(self, hashes: Hashes) -> Rows:
        """The row of each hash [n], -1 for unknown ones."""
        heads = _heads(hashes)
        order = np.argsort(heads)
        found = np.full(len(hashes), -1, np.int64)
        for run in self._runs:
            left = order[found[order] < 0]
            places = np.searchsorted(run.codes, heads[left] << _HIGH)
            while len(left):
                codes = run.codes[np.minimum(places, len(run.codes) - 1)]
                alike = (places < len(run.codes)) & (codes >> _HIGH == heads[left])
                left, places, rows = left[alike], places[alike], (codes[alike] & _ROW).astype(np.int64)
                same = (self._held[rows] == hashes[left]).all(axis=1)
                found[left[same]] = rows[same]
                left, places = left[~same], places[~same] + 1
        return found

    def append(self, hashes: Hashes) -> None:
        """Append hashes. On an OSError, which has its errno, nothing is appended."""
        with self._file.open("r+b") as out:
            out.truncate(self._held.size)  # half a hash of a killed writer
            out.seek(self._held.size)
            out.write(hashes.tobytes())
        self.refresh()

    def blank(self, rows: Rows) -> None:
        """Clear the hashes of rows before their reuse; none is found until ``shorten``."""
        self._drop_runs()
        self.write(rows, np.zeros((len(rows), self._width), np.uint8))

    def write(self, rows: Rows, hashes: Hashes) -> None:
        """Overwrite the hashes of rows, durably."""
        with self._file.open("r+b") as out:
            for row, one in zip(rows.tolist(), hashes, strict=True):
                out.seek(row * self._width)
                out.write(one.tobytes())
            out.flush()
            os.fsync(out.fileno())

    def shorten(self, count: int) -> None:
        """Truncate to the first rows, and rebuild the index."""
        self._drop_runs()
        self._held = self._held[:0]  # a map must not extend beyond its file
        os.truncate(self._file, count * self._width)
        self.refresh()

    def _drop_runs(self) -> None:
        self._runs = []
        for file in self._folder.glob(f"{self._name}.*.codes"):
            file.unlink(missing_ok=True)

    def _follow(self) -> None:
        """Load runs of all rows: those in files, then one of later rows."""
        if not self._runs:
            self._runs = self._stored_runs()
        first = self._runs[-1].end if self._runs else 0
        if first < len(self._held):
            self._runs.append(_Run(first, codes_of(_heads(self._held[first:]), first)))
            self._merge()

    def _merge(self) -> None:
        merged = len(self._runs[-1].codes) >= _KEPT
        while len(self._runs) > 1 and len(self._runs[-2].codes) < _TIER * len(self._runs[-1].codes):
            last, before = self._runs.pop(), self._runs.pop()
            codes = np.concatenate([before.codes, last.codes])
            codes.sort(kind="stable")  # merges sorted runs
            self._runs.append(_Run(before.first, codes))
            merged = len(codes) >= _KEPT
        if merged:
            self._store(self._runs[-1])

    def _store(self, run: _Run) -> None:
        """Store a run in a file, replacing those that it was merged from."""
        file = self._folder / f"{self._name}.{run.first}-{run.end}.codes"
        unfinished = file.with_suffix(".unfinished")
        with unfinished.open("wb") as out:
            out.write(run.codes.tobytes())
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(file)
        for other, (first, end) in self._run_files().items():
            if other != file and run.first <= first and end <= run.end:
                other.unlink(missing_ok=True)
        self._runs[-1] = _Run(run.first, map_bytes(file).view(np.uint64))

    def _run_files(self) -> dict[Path, tuple[int, int]]:
        found: dict[Path, tuple[int, int]] = {}
        for file in self._folder.glob(f"{self._name}.*-*.codes"):
            first, _, end = file.name.split(".")[-2].partition("-")
            found[file] = int(first), int(end)
        return found

    def _stored_runs(self) -> list[_Run]:
        """Consecutive runs in files."""
        runs: list[_Run] = []
        for file, (first, end) in sorted(self._run_files().items(), key=lambda one: (one[1][0], -one[1][1])):
            whole = end <= len(self._held) and file.stat().st_size == 8 * (end - first)
            if whole and first == (runs[-1].end if runs else 0):
                runs.append(_Run(first, map_bytes(file).view(np.uint64)))
            elif not whole:
                file.unlink(missing_ok=True)  # its rows were truncated
        return runs


def _heads(hashes: Hashes) -> Codes:
    """32 bits of each hash [n]."""
    return np.ascontiguousarray(hashes[:, :4]).view("<u4").ravel().astype(np.uint64)
