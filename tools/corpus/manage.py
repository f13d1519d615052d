"""Manage corpora: list, describe, check, delete, reindex."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress

from backtrail.tools.corpus.check import check
from backtrail.tools.corpus.describe import Description, describe
from backtrail.tools.corpus.errors import CorpusDamaged, EmbedderMismatch
from backtrail.tools.corpus.listing import corpus_not_found, list_corpora, read_only
from backtrail.tools.corpus.open import shared_embedder
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.pages.page_places import forget_absent, pages_locked
from backtrail.tools.corpus.pixels import NO_PIXELS, open_pixels
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.storage import Kept, is_mirror, kept_in
from backtrail.tools.corpus.tables.database import drop_tables, has_tables, open_engine
from backtrail.tools.corpus.tables.meta import Meta, read_meta
from backtrail.tools.corpus.writing.index_vectors import remove_vector_index
from backtrail.tools.corpus.writing.lock import writer_lock
from backtrail.tools.corpus.writing.progress import Progress, Silent
from backtrail.tools.corpus.writing.writer import Published
from backtrail.tools.corpus.writing.writing_session import writing_session
from backtrail.tools.embedders.protocol import Embedder, PixelEmbedder
from backtrail.tools.embedders.ray_actors import embedding_on
from backtrail.tools.errors import StoredFileDamaged
from backtrail.tools.home import corpus_folder

__all__ = ["Description", "check", "delete_corpus", "delete_documents", "describe", "list_corpora", "reindex"]


def delete_corpus(name: str) -> None:
    """Delete a corpus with all its files and tables; a shared one for all machines.

    Raises:
        CorpusNotFound: no such corpus.
        CorpusLocked: it is being written, or its pages are being embedded.
    """
    folder = corpus_folder(name)
    if kept := kept_in(name):
        _delete_shared(kept)
        return
    engine = open_engine(name, folder)
    try:
        if not folder.is_dir() and not has_tables(engine, name, folder):
            raise corpus_not_found(name)
        with writer_lock(name, folder), pages_locked(name):
            with suppress(StoredFileDamaged), writing_session(engine, name) as connection:
                remove_vector_index(folder)
                drop_tables(connection, name)
            engine.dispose()
            shutil.rmtree(folder)
    finally:
        engine.dispose()


def _delete_shared(kept: Kept) -> None:
    from backtrail.tools.corpus.store.remove import remove_shared

    folder = corpus_folder(kept.corpus)
    if not is_mirror(folder) and kept.corpus not in list_corpora():
        raise corpus_not_found(kept.corpus)
    with writer_lock(kept.corpus, folder), pages_locked(kept.corpus):
        remove_shared(kept)
        shutil.rmtree(folder)


def delete_documents(
    name: str, ids: Collection[str], *, opened: Embedder | None = None, progress: Progress | None = None
) -> int:
    """Delete documents and return their number. Unknown ids are ignored.

    Their components, vectors, words and otherwise unused pictures are deleted when it returns; links to them are dead,
    and entries of the knowledge graph without other support are deleted. The embedder is needed only where the text of
    an entity or relation changes.

    Args:
        opened: the corpus's embedder, if it is open already.

    Raises:
        CorpusNotFound, CorpusLocked, CorpusDiskFull: as they say.
        CorpusDamaged: vectors of remaining documents are missing.
    """
    with read_only(name) as connection:
        meta = read_meta(connection, name)
    absent = _AbsentEmbedder(name, meta, opened)
    with open_writer(name, meta.embedder, absent) as writer:
        count = writer.delete(ids)
        if count:
            writer.publish(progress or Silent(), report=json.dumps({"deleted": count}), forget=True)
    forget_absent(name)
    return count


def reindex(
    name: str,
    embedder: str | None = None,
    *,
    opened: Embedder | None = None,
    pixels: str | None = None,
    opened_pixels: PixelEmbedder | None = None,
    engine: str = "local",
    progress: Progress | None = None,
) -> Published:
    """Rebuild vectors and words from the stored contents, with other embedders where named.

    Args:
        embedder: name of the embedder; None takes the recorded one.
        opened: the embedder of that name, if it is open already.
        pixels: name of the encoder of pictures, "none" to remove it; None takes the recorded one.
        opened_pixels: the encoder of that name, if it is open already.
        engine: where texts are embedded: "local", "ray" or "ray://HOST:PORT".

    Raises:
        CorpusNotFound, CorpusLocked, CorpusDiskFull: as they say.
    """
    with read_only(name) as connection:
        meta = read_meta(connection, name)
    chosen = embedder or meta.embedder
    seeing = "recorded" if pixels is None else None if pixels == NO_PIXELS else open_pixels(pixels, opened_pixels)
    with (
        embedding_on(engine, chosen, opened or shared_embedder(chosen)) as embedding,
        open_writer(name, chosen, embedding, new_embedder=True, pixels=seeing) as writer,
    ):
        return writer.publish(progress or Silent(), report='{"reindex": true}', rebuild=True)


class _AbsentEmbedder:
    """Placeholder of the recorded embedder, opened only for changed texts of a knowledge graph."""

    def __init__(self, corpus: str, meta: Meta, opened: Embedder | None) -> None:
        self._corpus = corpus
        self._meta = meta
        self._opened = opened
        self.fingerprint = meta.fingerprint
        self.dimension = meta.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed with the recorded embedder. Without a knowledge graph, missing vectors mean damage."""
        if not self._meta.knowledge:
            raise CorpusDamaged(self._corpus, f"{len(texts)} or more vectors are missing")
        embedder = self._opened or shared_embedder(self._meta.embedder)
        if embedder.fingerprint != self.fingerprint:
            raise EmbedderMismatch(self._corpus, self.fingerprint, embedder.fingerprint, self._meta.embedder)
        return embedder.embed(texts)
