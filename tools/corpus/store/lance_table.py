"""One Lance table of a shared corpus: rows with a number each (``row``), taken out by it and put behind the others.

Nothing is updated in place: rows that change are deleted and appended. What is published is a version of the table, and
stays readable until it is cleaned up. Reading goes on while a publisher writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.corpus.errors import StoreUnavailable
from backtrail.tools.corpus.store.publication import TableVersion
from backtrail.tools.corpus.store_address import StoreAddress
from backtrail.tools.open_lance import open_arrow, open_lance

ROW = "row"
Numbers = NDArray[np.int64]
_DELETED_AT_ONCE = 5_000  # numbers in one predicate
_READ_AT_ONCE = 8_192
MOST_FRAGMENTS = 24
"""Fragments of a table before they are merged (ours)."""
KEPT = 3
"""Publications whose versions stay readable: that many times a table may be published while a reader copies it."""


@contextmanager
def reaching(address: StoreAddress) -> Iterator[None]:
    """Errors of Lance as StoreUnavailable: of the store being away, full, closed to us, or without what is asked."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreUnavailable(str(address), _first_sentence(str(error))) from error


def _first_sentence(text: str) -> str:
    """What Lance says without the places in its own source."""
    return text.partition(", /home/")[0].partition(", rust/")[0].splitlines()[0][:300] if text else "no reason given"


class LanceTable:
    """A table at one version, which moves on with each change made through this object."""

    def __init__(self, address: StoreAddress, place: str, dataset: Any) -> None:
        self._address, self.place, self._dataset = address, place, dataset

    @classmethod
    def open(cls, address: StoreAddress, place: str, version: int | None = None) -> LanceTable:
        """A version of a table that is there; None takes the latest.

        Raises:
            StoreUnavailable: it cannot be reached, or that version is no longer kept.
        """
        lance = open_lance()
        with reaching(address):
            return cls(address, place, lance.dataset(place, version=version, storage_options=address.options))

    @classmethod
    def make(cls, address: StoreAddress, place: str, schema: Any) -> LanceTable:
        """An empty table; one that stands there loses its rows, with another version."""
        lance, arrow = open_lance(), open_arrow()
        with reaching(address):
            made = lance.write_dataset(
                arrow.Table.from_batches([], schema), place, mode="overwrite", storage_options=address.options
            )
            return cls(address, place, made)

    @classmethod
    def find(cls, address: StoreAddress, place: str) -> LanceTable | None:
        """The latest version of a table; None when there is none."""
        lance = open_lance()
        with reaching(address):
            try:
                return cls(address, place, lance.dataset(place, storage_options=address.options))
            except ValueError as error:
                if "was not found" in str(error):
                    return None
                raise

    @property
    def schema(self) -> Any:
        """The Arrow schema."""
        return self._dataset.schema

    def version(self) -> TableVersion:
        """The version this object stands at, with its rows counted."""
        with reaching(self._address):
            return TableVersion(self._dataset.version, self._dataset.count_rows())

    def go_back(self) -> None:
        """Make this version the latest again, where a publisher that died has left more."""
        with reaching(self._address):
            if self._dataset.latest_version != self._dataset.version:
                self._dataset.restore()

    def numbers(self) -> Numbers:
        """The number of every row, in the order of the rows; rows may share one."""
        with reaching(self._address):
            column = self._dataset.to_table(columns=[ROW], scan_in_order=True)[ROW]
        return column.to_numpy().astype(np.int64, copy=False)

    def read(self, places: Numbers, columns: list[str] | None = None) -> Iterator[list[dict[str, Any]]]:
        """Rows by their places in ``numbers()``, some at a time."""
        for start in range(0, len(places), _READ_AT_ONCE):
            with reaching(self._address):
                some = self._dataset.take(places[start : start + _READ_AT_ONCE].tolist(), columns=columns)
            yield some.to_pylist() if "vector" not in some.column_names else _with_arrays(some)

    def delete(self, numbers: Numbers) -> None:
        """Take rows out by their numbers."""
        for start in range(0, len(numbers), _DELETED_AT_ONCE):
            listed = ",".join(map(str, numbers[start : start + _DELETED_AT_ONCE].tolist()))
            with reaching(self._address):
                self._dataset.delete(f"{ROW} IN ({listed})")

    def append(self, batches: Iterable[Any]) -> None:
        """Put batches behind the rows, each a version of its own: what was sent is not sent again after a kill."""
        for batch in batches:
            with reaching(self._address):
                self._dataset.insert(batch)

    def merge(self, *, forget: bool) -> None:
        """Merge small fragments where there are many; with ``forget`` write all anew that has deleted rows."""
        with reaching(self._address):
            if forget:
                self._dataset.optimize.compact_files(materialize_deletions=True, materialize_deletions_threshold=0.0)
            elif len(self._dataset.get_fragments()) > MOST_FRAGMENTS:
                self._dataset.optimize.compact_files()

    def keep(self, number: int) -> None:
        """Hold this version for the readers of a publication."""
        with reaching(self._address):
            tags = self._dataset.tags
            name = _tag(number)
            note = tags.update if name in tags.list() else tags.create
            note(name, self._dataset.version)

    def clean(self, number: int, *, forget: bool) -> None:
        """Let go of what publications before the last few held; with ``forget`` of all before this one, at once.

        To forget takes no clock into account, as versions bear the time of the machine that wrote them, and takes along
        what dead publishers wrote without making a version of it. Only the one publisher may do that.
        """
        oldest = number if forget else number - KEPT + 1
        with reaching(self._address):
            for name in list(self._dataset.tags.list()):
                if name.startswith("p") and name[1:].isdigit() and int(name[1:]) < oldest:
                    self._dataset.tags.delete(name)
            which = {"retain_versions": 1} if forget else {"older_than": timedelta(hours=1)}
            self._dataset.cleanup_old_versions(**which, delete_unverified=forget, error_if_tagged_old_versions=False)


def _tag(number: int) -> str:
    return f"p{number}"


def _with_arrays(table: Any) -> list[dict[str, Any]]:
    """Rows whose vectors stay arrays: as lists of Python's floats they would take thirty times the room."""
    rows = table.drop_columns(["vector"]).to_pylist()
    vectors = table["vector"].combine_chunks()
    width = vectors.type.list_size
    flat = vectors.flatten().to_numpy(zero_copy_only=False).reshape(-1, width)
    present = np.flatnonzero(vectors.is_valid().to_numpy(zero_copy_only=False))
    for row in rows:
        row["vector"] = None
    for at, place in enumerate(present.tolist()):
        rows[place]["vector"] = flat[at]
    return rows


def drop_table(address: StoreAddress, place: str) -> None:
    """Remove a table with all its versions; nothing happens where there is none."""
    lance = open_lance()
    with reaching(address):
        try:
            lance.LanceDataset.drop(place, storage_options=address.options)
        except (OSError, ValueError) as error:
            if "not found" not in str(error).lower() and "no such file" not in str(error).lower():
                raise
