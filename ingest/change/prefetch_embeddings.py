"""Embed stored documents on a server while further ones are parsed.

A local embedder competes with parsing for the processors and works best on many texts of similar length; it runs after
parsing. Prefetched vectors are in the corpus's vector cache, where publishing looks first.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence, Sized
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

from backtrail.tools.corpus.tables.prepared import PreparedDocument
from backtrail.tools.corpus.tables.records import text_hash
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.embedders.errors import EmbedderRejected, EmbedderWeightsMismatch
from backtrail.tools.embedders.protocol import Embedder, Vectors, as_remote
from backtrail.tools.embedders.retry_overload import OverloadRetries

_log = logging.getLogger(__name__)

_FOR_GOOD = (EmbedderRejected, EmbedderWeightsMismatch)
_MOST = 100_000
"""Maximum number of waiting texts (ours); publishing embeds the rest if the server is slower than parsing."""


class EmbeddingPrefetch:
    """Embeds the texts of stored documents in the background; without a server publishing embeds them."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._folder, self._embedder = folder, embedder
        self._remote = as_remote(embedder)
        self._changed = threading.Condition()
        self._waiting: dict[bytes, str] = {}
        self._asked: set[bytes] = set()
        self._whole = self._stopped = False
        self._failure: BaseException | None = None
        self._overrun = OverloadRetries()
        self._thread: threading.Thread | None = None
        self.embedded = 0

    def add(self, documents: Sequence[PreparedDocument]) -> None:
        """Queue the texts of documents that have no vector yet.

        Raises:
            EmbedderRejected, EmbedderWeightsMismatch: the server refused an earlier text for good or has other weights.
        """
        if self._remote is None or not documents:
            return
        texts = {text_hash(text): text for document in documents for text in _texts(document)}
        with self._changed:
            self._raise_refusal()
            if len(self._waiting) < _MOST:
                self._waiting |= {hash_: text for hash_, text in texts.items() if hash_ not in self._asked}
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="embedding ahead", daemon=True)
                self._thread.start()
            self._changed.notify()

    def finish(self) -> None:
        """Wait until all texts are embedded.

        Raises:
            EmbedderRejected, EmbedderWeightsMismatch: see ``add``. After other failures publishing embeds the rest.
        """
        self._end(whole=True)
        self._raise_refusal()

    def stop(self) -> None:
        """Send no further requests, and wait for the running ones, whose results are kept."""
        self._end(whole=False)

    def _end(self, *, whole: bool) -> None:
        with self._changed:
            self._whole, self._stopped = True, self._stopped or not whole
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _raise_refusal(self) -> None:
        if isinstance(self._failure, _FOR_GOOD):
            raise self._failure

    def _work(self) -> None:
        assert self._remote is not None
        running: dict[Future[Vectors], dict[bytes, str]] = {}
        try:
            with (
                closing(VectorCache(self._folder, self._embedder.fingerprint, self._embedder.dimension)) as cache,
                ThreadPoolExecutor(self._remote.requests_at_once) as requests,
            ):
                while (batch := self._next(cache, running)) is not None or running:
                    if batch:
                        running[requests.submit(self._embedder.embed, list(batch.values()))] = batch
                    if running and (not batch or len(running) >= self._remote.requests_at_once):
                        self._keep(cache, running)
        except BaseException as error:  # noqa: BLE001 - publishing meets it again
            self._failure = error
        if self._failure is not None:
            _log.info("Remaining texts are embedded after parsing: %s", self._failure)

    def _next(self, cache: VectorCache, running: Sized) -> dict[bytes, str] | None:
        """Return the texts of the next request without vectors; empty while requests run; None at the end."""
        assert self._remote is not None
        size = self._remote.texts_a_request
        with self._changed:
            while not self._whole and len(self._waiting) < size and not running:
                self._changed.wait()
            if self._stopped or (self._whole and not self._waiting):
                return None
            if not self._whole and len(self._waiting) < size:
                return {}
            taken = dict(islice(self._waiting.items(), size))
            for hash_ in taken:
                del self._waiting[hash_]
            self._asked |= taken.keys()
        known = cache.known(list(taken))
        return {hash_: text for hash_, text in taken.items() if hash_ not in known}

    def _keep(self, cache: VectorCache, running: dict[Future[Vectors], dict[bytes, str]]) -> None:
        """Store finished requests. After a failure no further requests are sent.

        Texts refused because of rate or size limits are queued again.
        """
        for done in wait(running, return_when=FIRST_COMPLETED).done:
            batch = running.pop(done)
            error = done.exception()
            if error is None:
                cache.put(list(batch), done.result())
                self.embedded += len(batch)
                self._overrun.answered()
            with self._changed:
                self._asked.difference_update(batch)
                if isinstance(error, Exception) and not self._stopped and self._overrun.asks_again(error):
                    self._waiting = batch | self._waiting
                elif error is not None:
                    self._failure, self._stopped = self._failure or error, True


@contextmanager
def prefetching_embeddings(folder: Path, embedder: Embedder) -> Iterator[EmbeddingPrefetch]:
    """Prefetch embeddings within the block."""
    ahead = EmbeddingPrefetch(folder, embedder)
    try:
        yield ahead
    finally:
        ahead.stop()


def _texts(document: PreparedDocument) -> Iterator[str]:
    yield document.search_text
    for component in document.components:
        yield component.search_text
        for piece in component.pieces:
            yield piece.search_text
