"""Embed texts without a vector: each once, batched by length, with concurrent requests to a server."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from sqlalchemy import Connection, Table, func, select

from backtrail.tools.corpus.tables.schema import components, documents, subcomponents
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.embedders.protocol import Embedder, Vectors, as_remote
from backtrail.tools.embedders.retry_overload import OverloadRetries

_WINDOW = 32_768  # missing texts sorted together: large, to reduce padding
_BATCH = 512  # texts per commit, which a killed process has to embed again
_READ = 8_192  # rows read and looked up at once
_GOLDEN = 0.6180339887498949


CONTENTS = (documents, components, subcomponents)


def embed_missing(
    connection: Connection,
    cache: VectorCache,
    embedder: Embedder,
    progress: Progress,
    tables: Sequence[Table] = CONTENTS,
    last: int = -1,
) -> int:
    """Embed every missing search text of the tables after a key; return the number embedded."""
    counts = (select(func.count(table.c.text_hash)).where(table.c.key > last) for table in tables)
    progress.stage("embed", sum(connection.execute(count).scalar_one() for count in counts))
    waiting: dict[bytes, str] = {}
    embedded = 0
    for rows in _texts(connection, tables, last):
        fresh = {h: t for h, t in rows if h not in waiting}
        known = cache.known(list(fresh))
        waiting.update((h, t) for h, t in fresh.items() if h not in known)
        progress.advance(len(rows) - sum(h in waiting for h in fresh))
        if len(waiting) >= _WINDOW:
            embedded += _embed(waiting, cache, embedder, progress)
            waiting = {}
    return embedded + _embed(waiting, cache, embedder, progress)


def _texts(connection: Connection, tables: Sequence[Table], last: int) -> Iterator[list[tuple[bytes, str]]]:
    for table in tables:
        searched = table.c.text_hash.is_not(None) & (table.c.key > last)
        statement = select(table.c.text_hash, table.c.search_text).where(searched).order_by(table.c.key)
        result = connection.execute(statement, execution_options={"yield_per": _READ})
        for rows in result.partitions():
            yield [(bytes(row.text_hash), row.search_text) for row in rows]


def _embed(waiting: dict[bytes, str], cache: VectorCache, embedder: Embedder, progress: Progress) -> int:
    if not waiting:
        return 0
    ordered = sorted(waiting, key=lambda h: len(waiting[h]), reverse=True)
    remote = as_remote(embedder)
    size = remote.texts_a_request if remote else _BATCH
    batches = mixed([ordered[start : start + size] for start in range(0, len(ordered), size)])

    def vectors(batch: Sequence[bytes]) -> Vectors:
        return embedder.embed([waiting[h] for h in batch])

    done = _concurrent(vectors, batches, remote.requests_at_once) if remote else ((b, vectors(b)) for b in batches)
    for batch, found in done:
        cache.put(batch, found)
        progress.advance(len(batch))
    return len(ordered)


def mixed(batches: Sequence[list[bytes]]) -> list[list[bytes]]:
    """Reorder batches, sorted by length, so that progress is even.

    The longest stays first, because the embedder sizes its memory by it. The others alternate between long and short
    (multiples of the golden ratio are spread evenly), so that the first tenth predicts the pace of the rest.
    """
    order = sorted(range(1, len(batches)), key=lambda at: at * _GOLDEN % 1)
    return [batches[at] for at in (0, *order)]


def _concurrent(
    vectors: Callable[[Sequence[bytes]], Vectors], batches: Sequence[Sequence[bytes]], at_once: int
) -> Iterator[tuple[Sequence[bytes], Vectors]]:
    """Yield batches with their vectors as they complete. After a failure only running requests are completed.

    Requests that the server refused as too many are repeated.

    Raises:
        EmbedderError: the first failure, after all completed batches.
    """
    waiting, running = deque(batches), dict[Future[Vectors], Sequence[bytes]]()
    failure: BaseException | None = None
    overrun = OverloadRetries()
    with ThreadPoolExecutor(at_once) as requests:
        while running or (waiting and failure is None):
            while waiting and failure is None and len(running) < at_once:
                batch = waiting.popleft()
                running[requests.submit(vectors, batch)] = batch
            for one in wait(running, return_when=FIRST_COMPLETED).done:
                batch = running.pop(one)
                error = one.exception()
                if error is None:
                    overrun.answered()
                    yield batch, one.result()
                elif failure is None and overrun.asks_again(error):
                    waiting.appendleft(batch)
                else:
                    failure = failure or error
    if failure is not None:
        raise failure
