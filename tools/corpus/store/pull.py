"""Update a home's mirror to a publication, by difference.

Removed rows are deleted and new ones inserted, with their vectors, in one transaction of the mirror's tables; the index
is built as after an ingest, with nothing to embed. If it is killed, the mirror is unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Table, insert

from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.errors import MirrorDamaged, StoreUnavailable
from backtrail.tools.corpus.pixels import recorded_pixels
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.storage import Kept
from backtrail.tools.corpus.store.lance_table import ROW, LanceTable
from backtrail.tools.corpus.store.publication import Publication
from backtrail.tools.corpus.store.push import SEEN
from backtrail.tools.corpus.store.shared_tables import CONTENT, SHARED, VECTOR, has_vectors, numbers, remove_rows
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.corpus.writing.picture_vectors import picture_cache
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.corpus.writing.writing_home import WritingHome, writing_home


def pull(kept: Kept, folder: Path, publication: Publication, progress: Progress, patience: float) -> None:
    """Update the mirror to a publication.

    Raises:
        StoreUnavailable: the store is away, or has cleaned up the publication.
        CorpusLocked: another process of this machine is updating it.
        CorpusDiskFull: no space left here; the mirror is unchanged.
        MirrorDamaged: the result differs from the publication; the mirror has to be copied again.
    """
    meta = publication.meta
    with writing_home(kept.corpus, patience=patience) as home:
        _Pull(kept, folder, publication, home).run()
        start = replace(meta, uid=home.meta.uid, generation=home.meta.generation, fingerprint=home.meta.fingerprint)
        with home.writer(start, _Copied(kept.corpus, meta), recorded_pixels(kept.corpus, meta)) as writer:
            forget = kept.number < publication.forgotten
            published = writer.publish(progress, report='{"mirrored": true}', forget=forget)
    if published.version != meta.version:
        raise MirrorDamaged(kept.corpus, f"version {published.version}, not {meta.version}")


class _Pull:
    def __init__(
        self,
        kept: Kept,
        folder: Path,
        publication: Publication,
        home: WritingHome,
    ) -> None:
        self._kept, self._folder, self._publication = kept, folder, publication
        self._connection = home.connection
        self._same_vectors = home.meta.fingerprint == publication.meta.fingerprint
        self._blobs = BlobStore(folder)

    def run(self) -> None:
        """Update all tables."""
        meta = self._publication.meta
        with closing(VectorCache(self._folder / "vectors", meta.fingerprint, meta.dimension)) as cache:
            for table in SHARED:
                if table.name in self._publication.tables:
                    self._bring(table, cache)
                else:
                    remove_rows(self._connection, table, numbers(self._connection, table))
        if SEEN in self._publication.tables:
            self._bring_seen()

    def _open(self, name: str) -> LanceTable:
        published = self._publication.tables[name]
        address, corpus = self._kept.address, self._kept.corpus
        source = LanceTable.open(
            address, address.place(corpus, self._publication.space, f"{name}.lance"), published.version
        )
        if source.version() != published:
            raise StoreUnavailable(str(address), f"{corpus}/{name} lacks the {published.rows} rows of its version")
        return source

    def _bring(self, table: Table, cache: VectorCache) -> None:
        source = self._open(table.name)
        there, here = source.numbers(), numbers(self._connection, table)
        remove_rows(self._connection, table, np.setdiff1d(here, there))
        new = ~np.isin(there, here)
        for rows in source.read(np.flatnonzero(new)):
            self._take(table, rows, cache)
        if has_vectors(table) and not self._same_vectors:
            for rows in source.read(np.flatnonzero(~new), ["text_hash", VECTOR]):
                _take_vectors(rows, cache)

    def _take(self, table: Table, rows: list[dict[str, Any]], cache: VectorCache) -> None:
        if has_vectors(table):
            _take_vectors(rows, cache)
        if table is schema.blobs:
            for row in rows:
                self._blobs.put(row["sha256"], row[CONTENT])
        names = [column.name for column in table.columns]
        if rows:
            self._connection.execute(insert(table), [{name: row[name] for name in names} for row in rows])

    def _bring_seen(self) -> None:
        """Copy the vectors of pictures into the writer's cache."""
        meta = self._publication.meta
        source = self._open(SEEN)
        cache = picture_cache(self._folder, meta.pixels_fingerprint, meta.pixels_dimension)
        try:
            held = np.array([int.from_bytes(one[:8], signed=True) for one in cache.hashes()], np.int64)
            for rows in source.read(np.flatnonzero(~np.isin(source.numbers(), held)), [ROW, "sha256", VECTOR]):
                hashes = [bytes.fromhex(row["sha256"]) for row in rows]
                cache.put(hashes, np.stack([row[VECTOR] for row in rows]))
        finally:
            cache.close()


def _take_vectors(rows: list[dict[str, Any]], cache: VectorCache) -> None:
    held = [row for row in rows if row[VECTOR] is not None]
    if held:
        cache.put([row["text_hash"] for row in held], np.stack([row[VECTOR] for row in held]))


class _Copied:
    """Placeholder of the publisher's embedder: all vectors are copied, none is computed."""

    def __init__(self, corpus: str, meta: Meta) -> None:
        self._corpus = corpus
        self.fingerprint, self.dimension = meta.fingerprint, meta.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raise MirrorDamaged: a vector is missing."""
        raise MirrorDamaged(self._corpus, f"{len(texts)} or more vectors are missing")
