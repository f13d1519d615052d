"""Being the one writer of a corpus in this home: the locks, the transaction, the tidying up when it fails."""

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
    """Being the one writer of a corpus in this home: its folder, its transaction, and what was recorded before."""

    folder: Path
    connection: Connection
    meta: Meta

    @contextmanager
    def writer(
        self, meta: Meta, embedder: Embedder, pixels: Pixels | None, sharing: Sharing | None = None
    ) -> Iterator[CorpusWriter]:
        """A writer that starts from these recorded values."""
        with (
            closing(VectorCache(self.folder / "vectors", embedder.fingerprint, embedder.dimension)) as cache,
            closing(PictureVectors(self.folder, pixels)) if pixels else nullcontext() as pictures,
        ):
            yield CorpusWriter(self.folder, self.connection, meta, cache, embedder, pictures, sharing)


@contextmanager
def writing_home(name: str, *, patience: float = 0.0) -> Iterator[WritingHome]:
    """Take the locks and begin; what was not committed when the block ends with an error is dropped.

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
        has_tables(engine, name, folder)  # raises where they are lost, so that the file is not begun anew
        yield engine
    finally:
        engine.dispose()


def _start(engine: Engine, name: str) -> Meta:
    """The stored meta values; the tables and the corpus's uid are made on first use."""
    create_tables(engine, name)
    with engine.begin() as connection:
        meta = read_meta(connection, name)
        if not meta.uid:
            meta = replace(meta, uid=uuid.uuid4().hex[:12])
            write_meta(connection, meta)
    return meta


def _undo(engine: Engine, connection: Connection, name: str, folder: Path) -> None:
    """Make room for the next try. What fails here does not matter beside the error that led here."""
    with suppress(OSError, DatabaseUnavailable, HomeUnusable):
        connection.rollback()
        if not connection.invalidated:  # else the lock was lost too, and someone else may be building by now
            _remove_unfinished(folder, _start(engine, name))


def _remove_unfinished(folder: Path, meta: Meta) -> None:
    """Remove what a writer that was killed or failed had begun. Numbers of finished ones have no gaps."""
    remove_generations(folder, {meta.generation, meta.generation - 1})
