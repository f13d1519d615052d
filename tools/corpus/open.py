"""Open a stored corpus by name."""

from __future__ import annotations

import threading
from pathlib import Path

from sqlalchemy import Engine

from backtrail.tools.corpus.errors import CorpusDamaged, CorpusEmpty, CorpusNotFound, EmbedderMismatch
from backtrail.tools.corpus.generation import open_generation
from backtrail.tools.corpus.listing import corpus_not_found
from backtrail.tools.corpus.pixels import recorded_pixels
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.store.follow_updates import follow
from backtrail.tools.corpus.tables.database import FILE, has_tables, open_engine, tables_url
from backtrail.tools.corpus.tables.meta import Meta, read_meta
from backtrail.tools.embedders.open import open_embedder
from backtrail.tools.embedders.protocol import Embedder, PixelEmbedder
from backtrail.tools.home import cache_folder, corpus_folder

_lock = threading.Lock()
_Place = tuple[Path, str | int]
_engines: dict[_Place, Engine] = {}
_readers: dict[_Place, tuple[Meta, StoredCorpus]] = {}
_embedders: dict[str, Embedder] = {}


def open_corpus(name: str, *, embedder: Embedder | None = None, pixels: PixelEmbedder | None = None) -> StoredCorpus:
    """Open the current generation of a corpus, cached in the process until it changes.

    Args:
        embedder: replaces the recorded one; its fingerprint has to be the same.
        pixels: the same for the encoder of pictures; by default the first search opens the recorded one.

    Raises:
        CorpusNotFound: no such corpus.
        CorpusEmpty: it has no documents.
        CorpusTooNew: it was written by a newer Backtrail.
        CorpusDamaged: its index is missing; the message says how to rebuild it.
        EmbedderMismatch: the embedder is not the one of the index.
    """
    folder = corpus_folder(name)
    follow(name)
    with _lock:
        place = _place(name, folder)
        meta = _read_meta(name, folder, place)
        held = _readers.get(place)
        ours = embedder is None and pixels is None
        if held and held[0] == meta and ours:
            return held[1]
        reader = _open(name, folder, _engines[place], meta, embedder or shared_embedder(meta.embedder), pixels)
        if ours:
            _readers[place] = (meta, reader)
        return reader


def current(name: str) -> tuple[Path, Engine, Meta]:
    """Folder, engine and metadata of a corpus's current state. Raises as ``open_corpus``."""
    folder = corpus_folder(name)
    follow(name)
    with _lock:
        place = _place(name, folder)
        meta = _read_meta(name, folder, place)
        return folder, _engines[place], meta


def _place(name: str, folder: Path) -> _Place:
    """The identity of a corpus: differs for one that was deleted and created again."""
    url = tables_url(folder)
    if url:
        return folder, url
    try:
        return folder, (folder / FILE).stat().st_ino
    except FileNotFoundError:
        raise corpus_not_found(name) from None


def _read_meta(name: str, folder: Path, place: _Place) -> Meta:
    if place not in _engines:
        _engines[place] = open_engine(name, folder)
    engine = _engines[place]
    if has_tables(engine, name, folder):
        with engine.connect() as connection:
            meta = read_meta(connection, name)
        if meta.generation:
            return meta
    _engines.pop(place).dispose()  # clients may ask for any name
    raise corpus_not_found(name)


def _open(
    name: str, folder: Path, engine: Engine, meta: Meta, embedder: Embedder, pixels: PixelEmbedder | None
) -> StoredCorpus:
    if embedder.fingerprint != meta.fingerprint:
        raise EmbedderMismatch(name, meta.fingerprint, embedder.fingerprint, meta.embedder)
    try:
        generation = open_generation(folder, meta.generation)
        if not len(generation.documents):
            raise CorpusEmpty(name)
        seeing = recorded_pixels(name, meta, pixels)
        return StoredCorpus(name, folder, engine, meta, generation, embedder, seeing.encoder if seeing else None)
    except (OSError, ValueError) as error:
        raise CorpusDamaged(name, f"its index cannot be read ({error})") from error


def recorded_embedder(name: str) -> str | None:
    """Name of the embedder that a corpus was indexed with; None without the corpus."""
    folder = corpus_folder(name)
    follow(name)
    try:
        with _lock:
            return _read_meta(name, folder, _place(name, folder)).embedder
    except CorpusNotFound:
        return None


def shared_embedder(name: str) -> Embedder:
    """The embedder of a name, opened once per process."""
    if name not in _embedders:
        _embedders[name] = open_embedder(name, cache_folder=cache_folder())
    return _embedders[name]
