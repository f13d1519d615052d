"""Build the next generation of a corpus's index beside the current one, and remove old ones."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, delete, select

from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.difference import difference_to
from backtrail.tools.corpus.edges.build_edges import build_edges
from backtrail.tools.corpus.generation import Generation, generation_folder, open_generation
from backtrail.tools.corpus.identities import build_identities
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.corpus.writing.build_generation import build_arrays
from backtrail.tools.corpus.writing.embed_missing import CONTENTS, embed_missing
from backtrail.tools.corpus.writing.index_words import ALL, EDGES, index_words
from backtrail.tools.corpus.writing.picture_vectors import PictureVectors
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.embedders.protocol import Embedder
from backtrail.tools.knowledge.describe import Summarize
from backtrail.tools.knowledge.extractor import extractor_named
from backtrail.tools.knowledge.generation import build_layers
from backtrail.tools.knowledge.tables import GRAPH_TABLES
from backtrail.tools.knowledge.update import update_graph
from backtrail.tools.vector_stores.kinds import chosen_kind

_READ = 8_192


def build_generation(
    connection: Connection,
    corpus: Path,
    meta: Meta,
    cache: VectorCache,
    embedder: Embedder,
    progress: Progress,
    *,
    rebuild: bool,
    forget: bool = False,
    pictures: PictureVectors | None = None,
    summarize: Summarize | None = None,
) -> tuple[int, int]:
    """Build a generation of the rows that the transaction sees.

    Returns the generation's number and the number of texts embedded.
    """
    if meta.knowledge:
        update_graph(connection, extractor_named(meta.knowledge), progress, summarize)
    same_vectors = meta.fingerprint == embedder.fingerprint and not rebuild
    previous = _previous(corpus, meta.generation) if same_vectors else None
    difference = difference_to(connection, previous)
    embedded = embed_missing(connection, cache, embedder, progress, last=difference.last if difference else -1)
    embedded += embed_missing(connection, cache, embedder, progress, GRAPH_TABLES) if meta.knowledge else 0
    if pictures:
        pictures.embed_missing(connection, progress)
    chosen_kind(0)  # refuses an unknown vector store before anything is written
    number = max([meta.generation, *_numbers(corpus)]) + 1
    folder = generation_folder(corpus, number)
    build_arrays(connection, cache, folder, embedder.dimension, difference, progress, forget=forget)
    if pictures:
        pictures.write(connection, folder)
    progress.stage("words", ALL)
    index_words(connection, folder, difference, progress, forget=forget)
    build_edges(connection, folder, difference)
    build_identities(connection, folder, difference)
    progress.advance(EDGES)
    if meta.knowledge:
        build_layers(connection, corpus, number, cache, embedder.dimension, progress)
    return number, embedded


def _previous(corpus: Path, number: int) -> Generation | None:
    try:
        return open_generation(corpus, number) if number else None
    except (OSError, ValueError):
        return None  # lost or damaged: the next one is built completely


def _numbers(corpus: Path) -> list[int]:
    return [int(folder.name[1:]) for folder in (corpus / "index").glob("g[0-9]*")]


def remove_generations(corpus: Path, keep: set[int]) -> None:
    """Remove all other generations. Readers keep their mapped arrays."""
    for number in _numbers(corpus):
        if number not in keep:
            shutil.rmtree(generation_folder(corpus, number), ignore_errors=True)


def remove_unused(connection: Connection) -> None:
    """Delete rows of unused blobs; their files are deleted once the change is visible."""
    used = select(schema.components.c.blob).where(schema.components.c.blob.is_not(None))
    connection.execute(delete(schema.blobs).where(schema.blobs.c.sha256.not_in(used)))


def remove_unused_files(connection: Connection, corpus: Path) -> None:
    """Remove blob files that are not in the tables."""
    BlobStore(corpus).keep_only(connection.execute(select(schema.blobs.c.sha256)).scalars().all())


def used_texts(connection: Connection) -> Iterator[list[bytes]]:
    """Yield the hashes of all search texts, in blocks."""
    for table in (*CONTENTS, *GRAPH_TABLES):
        hashes = select(table.c.text_hash).where(table.c.text_hash.is_not(None))
        found = connection.execute(hashes, execution_options={"yield_per": _READ}).scalars()
        for block in found.partitions():
            yield [bytes(one) for one in block]


def content_version(connection: Connection, *fingerprints: str) -> str:
    """A hash of all contents and the embedders, independent of place and order of ingestion."""
    table = schema.documents
    total = 0
    for row in connection.execute(select(table.c.id, table.c.content_hash)):
        digest = hashlib.blake2b(f"{row.id}\0{row.content_hash}".encode(), digest_size=16).digest()
        total = (total + int.from_bytes(digest)) % 2**128
    return hashlib.blake2b("\0".join([f"{total:032x}", *fingerprints]).encode(), digest_size=8).hexdigest()
