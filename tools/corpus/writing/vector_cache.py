"""Crash-safe cache of vectors by text and embedder, so that nothing is embedded twice.

Vectors are appended to one file and their hashes to another, so that the cost of a new one does not depend on their
number. A vector counts once its hash is written, which comes last.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from filelock import FileLock

from backtrail.tools.arrays.text_rows import Rows
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.writing.hash_rows import HashRows

_log = logging.getLogger(__name__)

TEXT, PICTURE = 16, 32
"""Bytes of the hash of a text to be embedded, and of a picture's file."""


class VectorCache:
    """Vectors keyed by hashes of a fixed width in bytes, with separate files per embedder fingerprint.

    ``put`` is durable when it returns. Only for the writer of a corpus, whose threads may each have an instance.
    """

    def __init__(self, folder: Path, fingerprint: str, dimension: int, width: int = TEXT) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._name = f"vectors-{hashlib.sha256(fingerprint.encode()).hexdigest()[:16]}"
        self.file = folder / f"{self._name}.float32"
        self._dimension, self._row = dimension, 4 * dimension
        self._lock = FileLock(folder / f"{self._name}.lock")
        with self._lock:
            self.file.touch()
            self._hashes = HashRows(folder, self._name, width)
            if (whole := self.file.stat().st_size // self._row) < len(self._hashes):
                self._hashes.shorten(whole)
            self._cut()

    def close(self) -> None:
        """Do nothing: ``put`` is durable."""

    def known(self, hashes: Sequence[bytes]) -> set[bytes]:
        """The subset of hashes with a vector."""
        return {one for one, row in zip(hashes, self._rows(hashes).tolist(), strict=True) if row >= 0}

    def hashes(self) -> list[bytes]:
        """All hashes with a vector."""
        with self._lock:
            self._hashes.refresh()
        return [one.tobytes() for one in self._hashes.held() if one.any()]

    def put(self, hashes: Sequence[bytes], vectors: Vectors) -> None:
        """Store vectors [n, dimension]; existing ones are not replaced.

        Raises:
            OSError: with its errno, such as ENOSPC; earlier vectors are kept.
        """
        if vectors.shape != (len(hashes), self._dimension):
            raise ValueError(f"{len(hashes)} vectors of {self._dimension} values are required, not {vectors.shape}.")
        with self._lock:
            self._put(hashes, vectors)

    def _put(self, hashes: Sequence[bytes], vectors: Vectors) -> None:
        places: dict[bytes, int] = {}
        for place, one in enumerate(hashes):
            places.setdefault(one, place)
        known = self.known(list(places))
        new = {one: place for one, place in places.items() if one not in known}
        self._cut()
        with self.file.open("ab") as out:
            out.write(np.ascontiguousarray(vectors[list(new.values())], np.float32).tobytes())
            out.flush()
            os.fsync(out.fileno())  # no hash without its vector, also after a power cut
        self._hashes.append(self._hashes.matrix(list(new)))

    def get(self, hashes: Sequence[bytes]) -> Vectors:
        """Vectors [n, dimension] in the order of the hashes. KeyError when one is missing."""
        rows = self._rows(hashes)
        if len(missing := np.flatnonzero(rows < 0)):
            raise KeyError(hashes[missing[0]])
        found = np.empty((len(rows), self._dimension), np.float32)
        if len(rows):
            order = np.argsort(rows)  # sequential reads
            stored = np.memmap(self.file, np.float32, "r", shape=(len(self._hashes), self._dimension))
            found[order] = stored[rows[order]]
        return found

    def remove_others(self) -> None:
        """Remove the files of other embedders."""
        for file in self.file.parent.glob("vectors-*"):
            if not file.name.startswith(self._name):
                file.unlink(missing_ok=True)

    def keep_only(self, used: Iterable[Sequence[bytes]]) -> int:
        """Delete every vector but those of blocks of hashes; return the number deleted.

        The last vectors are moved into the gaps, and the files truncated. If it is killed, no hash has another's
        vector, and the next call completes the work.
        """
        with self._lock:
            self._hashes.refresh()
            stays = np.zeros(len(self._hashes), np.bool_)
            for block in used:
                rows = self._hashes.find(self._hashes.matrix(block))
                stays[rows[rows >= 0]] = True
            count = int(stays.sum())
            if gone := len(stays) - count:
                self._move(count + np.flatnonzero(stays[count:]), np.flatnonzero(~stays[:count]))
                self._hashes.shorten(count)
                self._cut()
            return gone

    def _move(self, rows: Rows, holes: Rows) -> None:
        moved = self._hashes.held()[rows]
        self._hashes.blank(holes)
        with self.file.open("r+b") as file:
            for row, hole in zip(rows.tolist(), holes.tolist(), strict=True):
                file.seek(row * self._row)
                vector = file.read(self._row)
                file.seek(hole * self._row)
                file.write(vector)
            file.flush()
            os.fsync(file.fileno())
        self._hashes.write(holes, moved)

    def _rows(self, hashes: Sequence[bytes]) -> Rows:
        with self._lock:
            self._hashes.refresh()
        return self._hashes.find(self._hashes.matrix(hashes))

    def _cut(self) -> None:
        """Truncate vectors whose hashes were not written."""
        os.truncate(self.file, len(self._hashes) * self._row)
