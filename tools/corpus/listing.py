"""List corpora, and open the tables of one for reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from backtrail.tools.access.serving import serving
from backtrail.tools.corpus.errors import CorpusDiskFull, CorpusNotFound, CorpusTooNew, CorpusTooOld
from backtrail.tools.corpus.store.follow_updates import follow, shared_names
from backtrail.tools.corpus.tables.database import FILE, has_tables, open_engine
from backtrail.tools.corpus.tables.meta import read_meta
from backtrail.tools.disk_full import is_disk_full
from backtrail.tools.errors import HomeUnusable
from backtrail.tools.home import corpora_folder, corpus_folder


def list_corpora() -> list[str]:
    """Names of all corpora that were published at least once, here or in the store of this home, sorted."""
    folder = corpora_folder()
    local = [place.name for place in folder.iterdir() if place.is_dir()] if folder.is_dir() else []
    return sorted({*(name for name in local if _is_published(name)), *shared_names()})


def corpus_exists(name: str) -> bool:
    """Whether a corpus of that name was published at least once, here or in the store of this home."""
    return _is_published(name) or name in shared_names()


def corpus_not_found(name: str) -> CorpusNotFound:
    """The error for an unknown corpus; it lists the others, except on a server with keys."""
    if not serving():
        return CorpusNotFound(name, list_corpora())
    from backtrail.tools.access.corpora import readable_corpora  # which lists corpora here
    from backtrail.tools.access.credentials import allowed_to, credentials

    return CorpusNotFound(name, list(readable_corpora(allowed_to(""))) if credentials().is_open() else None)


def _is_published(name: str) -> bool:
    folder = corpora_folder() / name
    if not (folder / "index").is_dir() and not (folder / FILE).exists():
        return False
    engine = open_engine(name, folder)
    try:
        if not has_tables(engine, name, folder):
            return False
        with engine.connect() as connection:
            return read_meta(connection, name).generation > 0
    except (CorpusTooNew, CorpusTooOld, HomeUnusable):  # it exists; opening it raises the error
        return True
    except SQLAlchemyError as error:
        if is_disk_full(error):  # SQLite needs space to read; there is none to create a corpus either
            return True
        raise
    finally:
        engine.dispose()


@contextmanager
def read_only(name: str) -> Iterator[Connection]:
    """Open a connection to the tables of an existing corpus, for reading.

    Raises:
        CorpusNotFound: no such corpus.
        CorpusDiskFull: SQLite has no space for its temporary files.
    """
    folder = corpus_folder(name)
    follow(name)
    engine = open_engine(name, folder)
    try:
        if not has_tables(engine, name, folder):
            raise corpus_not_found(name)
        with engine.connect() as connection:
            yield connection
    except SQLAlchemyError as error:
        if is_disk_full(error):
            raise CorpusDiskFull(name, str(folder)) from error
        raise
    finally:
        engine.dispose()
