"""A Lance table of a shared corpus: rows are deleted by their number (``row``) and appended.

Nothing is updated in place: changed rows are deleted and appended. A publication is a version of the table, readable
until it is cleaned up, also while a publisher writes.
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
"""Publications whose versions stay readable: so many may follow while a reader copies one."""


@contextmanager
def reaching(address: StoreAddress) -> Iterator[None]:
    """Convert Lance errors to StoreUnavailable: store away, full, access denied, file missing."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreUnavailable(str(address), _first_sentence(str(error))) from error


def _first_sentence(text: str) -> str:
    """A message of Lance without locations in its source."""
    return text.partition(", /home/")[0].partition(", rust/")[0].splitlines()[0][:300] if text else "no reason given"


class LanceTable:
    """A table at one version, which advances with each change through this object."""

    def __init__(self, address: StoreAddress, place: str, dataset: Any) -> None:
        self._address, self.place, self._dataset = address, place, dataset

    @classmethod
    def open(cls, address: StoreAddress, place: str, version: int | None = None) -> LanceTable:
        """Open a version of an existing table; None takes the latest.

        Raises:
            StoreUnavailable: it cannot be reached, or the version was cleaned up.
        """
        lance = open_lance()
        with reaching(address):
            return cls(address, place, lance.dataset(place, version=version, storage_options=address.options))

    @classmethod
    def make(cls, address: StoreAddress, place: str, schema: Any) -> LanceTable:
        """Create an empty table; an existing one loses its rows in a new version."""
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
        """The current version of this object, with its number of rows."""
        with reaching(self._address):
            return TableVersion(self._dataset.version, self._dataset.count_rows())

    def go_back(self) -> None:
        """Restore this version as the latest, after a killed publisher left newer ones."""
        with reaching(self._address):
            if self._dataset.latest_version != self._dataset.version:
                self._dataset.restore()

    def numbers(self) -> Numbers:
        """The number of every row, in row order; not unique."""
        with reaching(self._address):
            column = self._dataset.to_table(columns=[ROW], scan_in_order=True)[ROW]
        return column.to_numpy().astype(np.int64, copy=False)

    def read(self, places: Numbers, columns: list[str] | None = None) -> Iterator[list[dict[str, Any]]]:
        """Yield blocks of rows by their places in ``numbers()``."""
        for start in range(0, len(places), _READ_AT_ONCE):
            with reaching(self._address):
                some = self._dataset.take(places[start : start + _READ_AT_ONCE].tolist(), columns=columns)
            yield some.to_pylist() if "vector" not in some.column_names else _with_arrays(some)

    def delete(self, numbers: Numbers) -> None:
        """Delete rows by number."""
        for start in range(0, len(numbers), _DELETED_AT_ONCE):
            listed = ",".join(map(str, numbers[start : start + _DELETED_AT_ONCE].tolist()))
            with reaching(self._address):
                self._dataset.delete(f"{ROW} IN ({listed})")

    def append(self, batches: Iterable[Any]) -> None:
        """Append batches, each as a version, so that an interrupted append can resume."""
        for batch in batches:
            with reaching(self._address):
                self._dataset.insert(batch)

    def merge(self, *, forget: bool) -> None:
        """Merge small fragments if there are many; with ``forget`` rewrite those with deleted rows."""
        with reaching(self._address):
            if forget:
                self._dataset.optimize.compact_files(materialize_deletions=True, materialize_deletions_threshold=0.0)
            elif len(self._dataset.get_fragments()) > MOST_FRAGMENTS:
                self._dataset.optimize.compact_files()

    def keep(self, number: int) -> None:
        """Protect this version for the readers of a publication."""
        with reaching(self._address):
            tags = self._dataset.tags
            name = _tag(number)
            note = tags.update if name in tags.list() else tags.create
            note(name, self._dataset.version)

    def clean(self, number: int, *, forget: bool) -> None:
        """Release versions of old publications; with ``forget`` all before this one, at once.

        ``forget`` ignores ages, because versions have the clock of the machine that wrote them, and also deletes files
        of dead publishers that belong to no version. Only the current publisher may do that.
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
    """Rows with vectors as arrays: lists of Python floats would take thirty times the memory."""
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
    """Delete a table with all its versions, if it exists."""
    lance = open_lance()
    with reaching(address):
        try:
            lance.LanceDataset.drop(place, storage_options=address.options)
        except (OSError, ValueError) as error:
            if "not found" not in str(error).lower() and "no such file" not in str(error).lower():
                raise
