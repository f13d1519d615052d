"""Exclusive write access to a corpus in this home: locks, transaction, clean-up after errors."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Connection, Engine

from backtrail.tools.corpus.errors import CorpusDiskFull, DatabaseUnavailable
from backtrail.tools.corpus.pixels import Pixels
from backtrail.tools.corpus.tables.database import create_tables, has_tables, open_engine
from backtrail.tools.corpus.tables.meta import Meta, read_meta, write_meta
from backtrail.tools.corpus.writing.lock import writer_lock
from backtrail.tools.corpus.writing.picture_vectors import PictureVectors
from backtrail.tools.corpus.writing.publish import remove_generations
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.corpus.writing.writer import CorpusWriter, Sharing
from backtrail.tools.corpus.writing.writing_session import writing_session
from backtrail.tools.disk_full import is_disk_full
from backtrail.tools.embedders.protocol import Embedder
from backtrail.tools.errors import HomeUnusable
from backtrail.tools.home import corpus_folder


@dataclass(frozen=True)
class WritingHome:
    """Exclusive write access to a corpus in this home: folder, transaction, recorded metadata."""

    folder: Path
    connection: Connection
    meta: Meta

    @contextmanager
    def writer(
        self, meta: Meta, embedder: Embedder, pixels: Pixels | None, sharing: Sharing | None = None
    ) -> Iterator[CorpusWriter]:
        """Open a writer that starts from this metadata."""
        with (
            closing(VectorCache(self.folder / "vectors", embedder.fingerprint, embedder.dimension)) as cache,
            closing(PictureVectors(self.folder, pixels)) if pixels else nullcontext() as pictures,
        ):
            yield CorpusWriter(self.folder, self.connection, meta, cache, embedder, pictures, sharing)


@contextmanager
def writing_home(name: str, *, patience: float = 0.0) -> Iterator[WritingHome]:
    """Take the locks and begin a change; an error rolls it back.

    Args:
        patience: seconds to wait for another writer of this home.

    Raises:
        CorpusLocked, CorpusDiskFull, DatabaseUnavailable: see ``tools/corpus/open_writer.py``.
    """
    folder = corpus_folder(name)
    try:
        with (
            writer_lock(name, folder, patience),
            _engine(name, folder) as engine,
            writing_session(engine, name) as connection,
        ):
            meta = _start(engine, name)
            _remove_unfinished(folder, meta)
            try:
                yield WritingHome(folder, connection, meta)
            except BaseException:
                _undo(engine, connection, name, folder)
                raise
    except Exception as error:
        if is_disk_full(error):
            raise CorpusDiskFull(name, str(folder)) from error
        raise


@contextmanager
def _engine(name: str, folder: Path) -> Iterator[Engine]:
    engine = open_engine(name, folder)
    try:
        has_tables(engine, name, folder)  # raises if they are lost, so that no new file is created
        yield engine
    finally:
        engine.dispose()


def _start(engine: Engine, name: str) -> Meta:
    """Read the metadata; tables and the corpus's uid are created on first use."""
    create_tables(engine, name)
    with engine.begin() as connection:
        meta = read_meta(connection, name)
        if not meta.uid:
            meta = replace(meta, uid=uuid.uuid4().hex[:12])
            write_meta(connection, meta)
    return meta


def _undo(engine: Engine, connection: Connection, name: str, folder: Path) -> None:
    """Clean up for the next attempt. Errors here are suppressed in favour of the original one."""
    with suppress(OSError, DatabaseUnavailable, HomeUnusable):
        connection.rollback()
        if not connection.invalidated:  # else the lock is lost too, and another writer may be building
            _remove_unfinished(folder, _start(engine, name))


def _remove_unfinished(folder: Path, meta: Meta) -> None:
    """Remove generations of killed or failed writers. Numbers of published ones have no gaps."""
    remove_generations(folder, {meta.generation, meta.generation - 1})
