"""Move a corpus between a home and a store; an interrupted move continues when run again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, delete, insert, select

from backtrail.tools.corpus.errors import CorpusUnfinished, PublishConflict
from backtrail.tools.corpus.listing import corpus_not_found, list_corpora
from backtrail.tools.corpus.storage import NOTE, Kept, is_mirror, noted
from backtrail.tools.corpus.store.pointer import Pointer, Turn, open_pointer
from backtrail.tools.corpus.store.publish_corpus import publish_push
from backtrail.tools.corpus.store.push import Push
from backtrail.tools.corpus.store.remove import clear_journals, drop_tables_of
from backtrail.tools.corpus.store.sync_mirror import sync_mirror
from backtrail.tools.corpus.store_address import StoreAddress
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.tables.database import (
    FILE,
    create_tables,
    database_url,
    drop_tables,
    open_database,
    open_engine,
)
from backtrail.tools.corpus.writing.lock import writer_lock
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.corpus.writing.writing_home import WritingHome, writing_home
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import corpus_folder
from backtrail.tools.knowledge.journal import copy_to_local

_ROWS = 4_096


def share(name: str, address: StoreAddress) -> Kept:
    """Move a corpus of this home into a store; the home keeps its mirror.

    Raises:
        CorpusNotFound, CorpusUnfinished, CorpusLocked: as they say.
        SettingsError: it is in another store, or the store has another corpus of that name.
        StoreUnavailable, DatabaseUnavailable: the store is away; the corpus stays in this home.
    """
    folder = corpus_folder(name)
    note = noted(name)
    if note and note.address != address:
        raise SettingsError(f"Corpus {name!r} is in {note.address} now. Move it home first, with --store home.")
    if note is None:
        if name not in list_corpora() or not folder.is_dir():
            raise corpus_not_found(name)
        if address.folder:
            address.folder.mkdir(parents=True, exist_ok=True)
        pointer = open_pointer(address)
        with writing_home(name) as home, pointer.publishing(name) as turn:
            number = _publish(home, name, address, turn)
            in_file = home.connection.dialect.name == "sqlite"
            # a mirror has its tables in a file: those on a server are copied by the next sync
            Kept(name, address, number if in_file else 0, pointer.kind).note()
    if database_url():
        _drop_server_tables(name)
    kept = sync_mirror(name)
    assert kept is not None
    return kept


def _publish(home: WritingHome, name: str, address: StoreAddress, turn: Turn) -> int:
    meta = home.meta
    if not meta.generation:
        raise CorpusUnfinished(name)
    before = turn.current()
    if before is not None:
        if (before.space, before.meta.version) == (meta.uid, meta.version):
            return before.number  # published by a move that was killed before it was recorded here
        raise SettingsError(f"{address} has a corpus {name!r} already. Delete one of them, or name another store.")
    with closing(VectorCache(home.folder / "vectors", meta.fingerprint, meta.dimension)) as cache:
        push = Push(address, name, home.folder, home.connection, meta, cache)
        return publish_push(turn, push, None, meta.uid, meta, forget=False, resume=True)


def _drop_server_tables(name: str) -> None:
    engine = open_database(name)
    try:
        with engine.connect() as connection:
            drop_tables(connection, name)
    finally:
        engine.dispose()


def move_home(name: str) -> None:
    """Move a corpus from its store into this home; other machines no longer have it.

    Raises:
        SettingsError: it is not in a store.
        PublishConflict: another machine published it meanwhile.
        CorpusLocked, StoreUnavailable, DatabaseUnavailable: it stays in the store; try again later.
    """
    kept = sync_mirror(name)
    folder = corpus_folder(name)
    if kept is None or not is_mirror(folder):
        if name not in list_corpora():
            raise corpus_not_found(name)
        raise SettingsError(f"Corpus {name!r} is not in a store.")
    pointer = open_pointer(kept.address)
    with writer_lock(name, folder), pointer.publishing(name) as turn:
        note, published = noted(name), turn.current()
        if note is None or published is None or note.number != published.number:
            raise PublishConflict(name, published.by if published else "")
        if database_url():
            _copy_to_server(name, folder)
        copy_to_local(folder)
        clear_journals(name)
        _leave(note, pointer, turn)
        drop_tables_of(kept.address, name, published)


def _leave(note: Kept, pointer: Pointer, turn: Turn) -> None:
    folder = corpus_folder(note.corpus)
    Kept(note.corpus, note.address, note.number, pointer.kind, leaving=True).note()
    turn.remove(note.number)
    (folder / NOTE).unlink()
    if database_url():
        for file in folder.glob(f"{FILE}*"):
            file.unlink()


def _copy_to_server(name: str, folder: Path) -> None:
    """Copy the mirror's tables into the database of BACKTRAIL_DATABASE_URL."""
    source, target = open_engine(name, folder), open_database(name)
    try:
        create_tables(target, name)
        with source.connect() as read, target.begin() as write:
            for table in schema.metadata.sorted_tables:
                write.execute(delete(table))
                _copy_rows(read, write, table)
    finally:
        source.dispose()
        target.dispose()


def _copy_rows(read: Connection, write: Connection, table: schema.Table) -> None:
    result = read.execute(select(table), execution_options={"yield_per": _ROWS})
    for rows in result.mappings().partitions():
        write.execute(insert(table), [dict(row) for row in rows])
