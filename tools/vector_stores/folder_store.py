"""Base of vector stores: a folder written once, and searches over later versions of its layers.

The folder contains ``<layer>.keys.npy``, the files of the store, and the manifest ``store.json``: what was built, the
size of each file, and its checksum if a damaged file could end the process. It is written under a temporary name, so
that a folder without a suffix is complete.
"""

from __future__ import annotations

import json
import shutil
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.mapped_array import load_array
from backtrail.tools.arrays.vector_rows import Mask, Rows, Vectors, take
from backtrail.tools.vector_stores.errors import StoreDamaged
from backtrail.tools.vector_stores.protocol import Advance, VectorLayer

MANIFEST = "store.json"
UNFINISHED = ".unfinished"
"""Suffix of a folder that is being written."""


@dataclass(frozen=True)
class Built:
    """The manifest of a store."""

    kind: str
    layers: dict[str, tuple[int, str]]
    """Number of vectors and fingerprint of the embedder, by layer."""
    files: dict[str, tuple[int, int]]
    """Bytes and checksum (0 where there is none), by path in the folder."""


def read_built(folder: Path) -> Built:
    """Read the manifest of a complete store. StoreDamaged where it is missing or damaged."""
    try:
        found: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
        pairs = ({name: (one, other) for name, (one, other) in found[part].items()} for part in ("layers", "files"))
        return Built(found["kind"], *pairs)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreDamaged(f"the vector index in {folder} cannot be read ({error})") from error


def check_files(folder: Path, built: Built) -> None:
    """Compare the files of a store with its manifest. StoreDamaged where they differ."""
    for name, (size, checksum) in built.files.items():
        try:
            same = (folder / name).stat().st_size == size and checksum in (0, _checksum(folder / name))
        except OSError as error:
            raise StoreDamaged(f"{folder / name} cannot be read ({error})") from error
        if not same:
            raise StoreDamaged(f"{folder / name} was changed after it was written")


def _checksum(file: Path) -> int:
    total = 0
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            total = zlib.crc32(block, total)
    return total


@dataclass(frozen=True)
class Change:
    """Difference of a layer from its built version.

    Attributes:
        layer: current version.
        row: current row of each built vector, -1 for removed ones.
        new: rows added since.
    """

    layer: VectorLayer
    row: Rows
    new: Rows

    @cached_property
    def gone(self) -> int:
        """Number of removed vectors."""
        return int(np.count_nonzero(self.row < 0))

    @property
    def share(self) -> float:
        """Share of changed vectors, from 0 to 1."""
        changed = self.gone + len(self.new)
        return min(1.0, changed / len(self.layer)) if len(self.layer) else float(changed > 0)


def change_of(folder: Path, built: Built, name: str, layer: VectorLayer) -> Change:
    """Compare a layer with its built version. StoreDamaged where the keys are missing or damaged."""
    rows, embedder = built.layers.get(name, (0, ""))
    if not rows or embedder != layer.embedder:
        return Change(layer, np.full(rows, -1, np.int64), np.arange(len(layer)))
    try:
        keys: Rows = load_array(folder / f"{name}.keys.npy")
    except (OSError, ValueError) as error:
        raise StoreDamaged(f"the keys of {name} in {folder} cannot be read ({error})") from error
    if len(keys) != rows:
        raise StoreDamaged(f"{folder} has keys of {len(keys)} {name}, not of {rows}")
    if np.array_equal(keys, layer.keys):
        return Change(layer, np.arange(rows), np.empty(0, np.int64))
    # vectors with the same key keep their order
    row = np.searchsorted(layer.keys, keys) + np.arange(rows) - np.searchsorted(keys, keys)
    return Change(layer, np.where(_among(keys, layer.keys), row, -1), np.flatnonzero(~_among(layer.keys, keys)))


def _among(keys: Rows, others: Rows) -> Mask:
    """Mask of ascending keys among other ascending ones; numpy's isin would sort them again."""
    place = np.minimum(np.searchsorted(others, keys), len(others) - 1)
    return others[place] == keys if len(others) else np.zeros(len(keys), np.bool_)


class FolderStore(ABC):
    """A store in a folder, which manages keys, changes and files; subclasses write and search vectors."""

    kind: ClassVar[str]
    most_neighbours: ClassVar[int]
    """Most neighbours of a query, beyond which recall drops."""
    checked: ClassVar[bool] = False
    """Whether files have checksums, because a damaged one could end the process."""

    def __init__(self, folder: Path, name: str) -> None:
        """Set the store's folder and name; nothing is read or written.

        Args:
            folder: folder of this store alone, created by ``build``.
            name: unique name of the store on a server.
        """
        self.folder, self.name = folder, name
        self._changes: dict[str, Change] = {}

    def build(self, layers: Mapping[str, VectorLayer], advance: Advance) -> None:
        """Index layers. An interrupted build is never opened."""
        unfinished = self.folder.with_name(self.folder.name + UNFINISHED)
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        try:
            self._write(unfinished, layers, advance)
            for name, layer in layers.items():
                write_array(unfinished / f"{name}.keys.npy", layer.keys)
            manifest = {
                "kind": self.kind,
                "layers": {name: (len(layer), layer.embedder) for name, layer in layers.items()},
                "files": {str(file.relative_to(unfinished)): self._signature(file) for file in self._kept(unfinished)},
            }
            (unfinished / MANIFEST).write_text(json.dumps(manifest))
            unfinished.rename(self.folder)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        self._open(read_built(self.folder))
        self.update(layers)

    def open(self) -> None:
        """Open the store. StoreDamaged if its files differ from the manifest; then nothing stays open."""
        built = read_built(self.folder)
        check_files(self.folder, built)
        self._open(built)
        counts = self.count()
        if wrong := [name for name, (rows, _) in built.layers.items() if counts.get(name, 0) != rows]:
            self.close()
            raise StoreDamaged(f"{self.folder} has {counts.get(wrong[0], 0)} {wrong[0]}, not what was built")

    def update(self, layers: Mapping[str, VectorLayer]) -> float:
        """Search these versions of the layers from now on; see ``VectorStore``."""
        built = read_built(self.folder)
        self._changes = {name: change_of(self.folder, built, name, layer) for name, layer in layers.items()}
        return max((change.share for change in self._changes.values()), default=0.0)

    def search(self, layer: str, query: Vectors, count: int) -> Rows | None:
        """Rows of a layer, at least its ``count`` nearest to a query; see ``VectorStore``."""
        change = self._changes[layer]
        built = len(change.row)
        stay = built - change.gone
        if not stay:
            return None
        requested = min(built, count + -(-count * change.gone // built))
        while requested <= self.most_neighbours:
            found = self._nearest(layer, np.asarray(query, np.float32), requested)
            rows = change.row[found]
            rows = rows[rows >= 0]
            if len(rows) >= min(count, stay) or requested >= built or len(found) < requested:
                return np.union1d(rows, _best(change, query, count))
            requested = min(built, 2 * requested)
        return None

    @abstractmethod
    def count(self) -> dict[str, int]:
        """Number of built vectors by layer, as the store itself counts them."""

    @abstractmethod
    def close(self) -> None:
        """Close what is open."""

    @abstractmethod
    def _write(self, folder: Path, layers: Mapping[str, VectorLayer], advance: Advance) -> None:
        """Write the vectors of layers into a folder that is renamed later."""

    @abstractmethod
    def _open(self, built: Built) -> None:
        """Open the folder; StoreDamaged where that fails."""

    @abstractmethod
    def _nearest(self, layer: str, query: Vectors, count: int) -> Rows:
        """Places of about the ``count`` nearest built vectors of a layer."""

    def _kept(self, folder: Path) -> list[Path]:
        """Files that do not change after they are written."""
        return [file for file in folder.rglob("*") if file.is_file()]

    def _signature(self, file: Path) -> tuple[int, int]:
        return file.stat().st_size, _checksum(file) if self.checked else 0


def _best(change: Change, query: Vectors, count: int) -> Rows:
    """The nearest of the added rows."""
    if len(change.new) <= count:
        return change.new
    scores = take(change.layer.vectors, change.new) @ query
    return change.new[np.argpartition(-scores, count)[:count]]
