"""Push the tables of a home to a store, by difference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, Table

from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.errors import CorpusDamaged
from backtrail.tools.corpus.store.lance_table import ROW, LanceTable, Numbers, drop_table
from backtrail.tools.corpus.store.publication import Publication, TableVersion
from backtrail.tools.corpus.store.shared_tables import (
    CONTENT,
    SHARED,
    VECTOR,
    arrow_schema,
    has_vectors,
    numbers,
    rows_of,
)
from backtrail.tools.corpus.store_address import StoreAddress
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.corpus.writing.picture_vectors import picture_cache, shown_pictures
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.open_lance import open_arrow

SEEN = "pictures"
"""The table of pixel vectors: one for each picture file."""
_A_BATCH = 16_384  # rows of one commit
_A_BATCH_BYTES = 64 * 2**20


class Push:
    """One push of a corpus, from an uncommitted transaction of its tables.

    Args:
        place: the folder of the corpus's home, for its picture files.
        meta: metadata to publish.
    """

    def __init__(
        self, address: StoreAddress, corpus: str, place: Path, connection: Connection, meta: Meta, cache: VectorCache
    ) -> None:
        self._address, self._corpus, self._place = address, corpus, place
        self._connection, self._meta, self._cache = connection, meta, cache
        self._blobs = BlobStore(place)

    def run(
        self, before: Publication | None, space: str, *, forget: bool, resume: bool = False
    ) -> dict[str, LanceTable]:
        """Change the tables to what is to be published. Changes of a killed publisher are reverted.

        Args:
            before: the current publication.
            resume: continue an interrupted push of the same rows.

        Raises:
            StoreUnavailable: the store is away; the publication is unchanged.
            CorpusDamaged: a vector or picture file is missing here.
        """
        pushed: dict[str, LanceTable] = {}
        for table in SHARED:
            if target := self._push(table, before, space, resume, forget=forget):
                pushed[table.name] = target
        if self._meta.pixels:
            pushed[SEEN] = self._push_seen(before, space, resume)
        for table in pushed.values():
            table.merge(forget=forget)
        return pushed

    def _push(
        self, table: Table, before: Publication | None, space: str, resume: bool, *, forget: bool
    ) -> LanceTable | None:
        here = numbers(self._connection, table)
        if not len(here) and (before is None or table.name not in before.tables):
            if forget:  # a killed publisher may have left it
                drop_table(self._address, self._address.place(self._corpus, space, f"{table.name}.lance"))
            return None  # tables that never had a row are not created
        wanted_schema = arrow_schema(table, self._meta.dimension)
        same_vectors = before is not None and before.meta.fingerprint == self._meta.fingerprint
        usable = same_vectors or not has_vectors(table)
        target = self._open(table.name, before if usable else None, space, resume, wanted_schema)
        there = target.numbers()
        target.delete(np.setdiff1d(there, here))
        target.append(self._batches(table, np.setdiff1d(here, there), wanted_schema))
        return target

    def _open(self, name: str, before: Publication | None, space: str, resume: bool, wanted_schema: Any) -> LanceTable:
        place = self._address.place(self._corpus, space, f"{name}.lance")
        published = before.tables.get(name) if before else None
        if published is not None:
            target = LanceTable.open(self._address, place, published.version)
            target.go_back()
            return target
        left = LanceTable.find(self._address, place) if resume else None
        if left is not None and left.schema.equals(wanted_schema):
            return left
        return LanceTable.make(self._address, place, wanted_schema)

    def _batches(self, table: Table, new: Numbers, wanted_schema: Any) -> Iterator[Any]:
        arrow = open_arrow()
        waiting: list[dict[str, Any]] = []
        size = 0
        for rows in rows_of(self._connection, table, new):
            if has_vectors(table):
                self._add_vectors(rows)
            for row in rows:
                if table is schema.blobs:
                    row[CONTENT] = self._file(row["sha256"])
                    size += len(row[CONTENT])
                waiting.append(row)
                if len(waiting) >= _A_BATCH or size >= _A_BATCH_BYTES:
                    yield arrow.Table.from_pylist(waiting, wanted_schema)
                    waiting, size = [], 0
        if waiting:
            yield arrow.Table.from_pylist(waiting, wanted_schema)

    def _add_vectors(self, rows: list[dict[str, Any]]) -> None:
        searched = [row for row in rows if row["text_hash"] is not None]
        try:
            vectors = self._cache.get([row["text_hash"] for row in searched])
        except KeyError as error:
            raise CorpusDamaged(self._corpus, "a vector is missing") from error
        for row, vector in zip(searched, vectors, strict=True):
            row[VECTOR] = vector

    def _file(self, sha256: str) -> bytes:
        try:
            return self._blobs.read(sha256)
        except KeyError as error:
            raise CorpusDamaged(self._corpus, f"picture file {sha256} is missing") from error

    def _push_seen(self, before: Publication | None, space: str, resume: bool) -> LanceTable:
        """Push the vectors of pictures, by the first eight bytes of their hashes."""
        arrow = open_arrow()
        wanted_schema = arrow.schema(
            [
                arrow.field(ROW, arrow.int64()),
                arrow.field("sha256", arrow.string()),
                arrow.field(VECTOR, arrow.list_(arrow.float32(), self._meta.pixels_dimension)),
            ]
        )
        same = before is not None and before.meta.pixels_fingerprint == self._meta.pixels_fingerprint
        target = self._open(SEEN, before if same else None, space, resume, wanted_schema)
        blobs = {int.from_bytes(bytes.fromhex(one)[:8], signed=True): one for one in shown_pictures(self._connection)}
        there, here = target.numbers(), np.array(sorted(blobs), np.int64)
        target.delete(np.setdiff1d(there, here))
        new = np.setdiff1d(here, there).tolist()
        cache = picture_cache(self._place, self._meta.pixels_fingerprint, self._meta.pixels_dimension)
        try:
            for start in range(0, len(new), _A_BATCH):
                some = new[start : start + _A_BATCH]
                vectors = cache.get([bytes.fromhex(blobs[number]) for number in some])
                rows = [
                    {ROW: number, "sha256": blobs[number], VECTOR: vector}
                    for number, vector in zip(some, vectors, strict=True)
                ]
                target.append([arrow.Table.from_pylist(rows, wanted_schema)])
        finally:
            cache.close()
        return target


def versions(pushed: dict[str, LanceTable]) -> dict[str, TableVersion]:
    """The current versions of the tables."""
    return {name: table.version() for name, table in pushed.items()}
