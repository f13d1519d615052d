"""Embed what has no vector yet: each distinct text once, texts of like length together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, Table, func, select

from backtrail.tools.corpus.tables.schema import components, documents, subcomponents
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.embedders.protocol import Embedder

_WINDOW = 32_768  # missing texts sorted together: padding is the cost, so windows are large
_BATCH = 512  # texts between two commits: what a killed process has to embed again
_READ = 8_192  # rows read and looked up at once


CONTENTS = (documents, components, subcomponents)


def embed_missing(
    connection: Connection,
    cache: VectorCache,
    embedder: Embedder,
    progress: Progress,
    tables: Sequence[Table] = CONTENTS,
) -> int:
    """Fill the cache for every search text of the tables; return how many texts were embedded."""
    counts = (select(func.count(table.c.text_hash)) for table in tables)
    progress.stage("embed", sum(connection.execute(count).scalar_one() for count in counts))
    waiting: dict[bytes, str] = {}
    embedded = 0
    for rows in _texts(connection, tables):
        fresh = {h: t for h, t in rows if h not in waiting}
        known = cache.known(list(fresh))
        waiting.update((h, t) for h, t in fresh.items() if h not in known)
        progress.advance(len(rows) - sum(h in waiting for h in fresh))
        if len(waiting) >= _WINDOW:
            embedded += _embed(waiting, cache, embedder, progress)
            waiting = {}
    return embedded + _embed(waiting, cache, embedder, progress)


def _texts(connection: Connection, tables: Sequence[Table]) -> Iterator[list[tuple[bytes, str]]]:
    for table in tables:
        searched = table.c.text_hash.is_not(None)
        statement = select(table.c.text_hash, table.c.search_text).where(searched).order_by(table.c.key)
        result = connection.execute(statement, execution_options={"yield_per": _READ})
        for rows in result.partitions():
            yield [(bytes(row.text_hash), row.search_text) for row in rows]


def _embed(waiting: dict[bytes, str], cache: VectorCache, embedder: Embedder, progress: Progress) -> int:
    # Longest first: the embedder's memory is sized once by the first batch.
    ordered = sorted(waiting, key=lambda h: len(waiting[h]), reverse=True)
    for start in range(0, len(ordered), _BATCH):
        batch = ordered[start : start + _BATCH]
        cache.put(batch, embedder.embed([waiting[h] for h in batch]))
        progress.advance(len(batch))
    return len(ordered)
