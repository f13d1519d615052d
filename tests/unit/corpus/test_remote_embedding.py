"""A server of embeddings is asked by several requests at once; what it answered is kept, whatever comes after."""

from collections.abc import Sequence
from pathlib import Path
from threading import Barrier, Event, Lock

import numpy as np
import pytest
from fixtures.hashed_embedder import HashedEmbedder
from sqlalchemy import Column, Integer, LargeBinary, MetaData, String, Table, create_engine, insert

from backtrail.tools.corpus.tables.records import text_hash
from backtrail.tools.corpus.writing.embed_missing import embed_missing
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.embedders.errors import EmbedderRejected, EmbedderUnavailable
from backtrail.tools.embedders.openai_compatible import REQUESTS_VARIABLE, OpenAICompatible
from backtrail.tools.embedders.protocol import Vectors, as_remote

TEXTS = [f"text {'x' * length}" for length in range(20)]
SEARCHED = Table(
    "texts", MetaData(), Column("key", Integer, primary_key=True), Column("text_hash", LargeBinary),
    Column("search_text", String),
)  # fmt: skip


class Server:
    """Implements ``RemoteEmbedder``: answers once so many requests wait, and fails from one text on."""

    fingerprint, dimension, texts_a_request = "server", 2, 4

    def __init__(self, requests_at_once: int, meet: int = 1, fails_at: str = "") -> None:
        self.requests_at_once = requests_at_once
        self.asked: list[list[str]] = []
        self.most = 0
        self._running, self._lock = 0, Lock()
        self._meet = Barrier(meet)
        self._fails_at, self._failed = fails_at, Event()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Length and one, for each text."""
        with self._lock:
            self._running += 1
            self.most = max(self.most, self._running)
            self.asked.append(list(texts))
        try:
            if self._fails_at in texts:
                self._failed.set()
                raise EmbedderUnavailable("the server answered 503")
            if self._fails_at:
                assert self._failed.wait(timeout=20)  # what is under way ends after the failure
            self._meet.wait(timeout=20)
            return np.array([[len(text), 1.0] for text in texts], np.float32)
        finally:
            with self._lock:
                self._running -= 1


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path, "server", 2)


def embed(server: Server, cache: VectorCache) -> int:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        SEARCHED.metadata.create_all(connection)
        connection.execute(insert(SEARCHED), [{"text_hash": text_hash(one), "search_text": one} for one in TEXTS])
        return embed_missing(connection, cache, server, Silent(), [SEARCHED])


def test_requests_go_side_by_side_and_every_text_gets_its_vector(cache: VectorCache) -> None:
    server = Server(requests_at_once=5, meet=5)  # each waits for four others: one by one would never end
    assert as_remote(server) is server
    assert as_remote(HashedEmbedder()) is None
    assert embed(server, cache) == len(TEXTS)
    assert server.most == 5
    assert {len(texts) for texts in server.asked} == {4}
    stored = cache.get([text_hash(one) for one in TEXTS])
    assert stored[:, 0].tolist() == [len(one) for one in TEXTS]


def test_what_was_answered_is_kept_when_a_request_fails(cache: VectorCache) -> None:
    failing = Server(requests_at_once=2, fails_at=TEXTS[-1])
    with pytest.raises(EmbedderUnavailable, match="503"):
        embed(failing, cache)
    assert len(failing.asked) == 2  # nothing is asked for after the failure
    kept = {text for texts in failing.asked for text in texts if TEXTS[-1] not in texts}
    assert cache.known([text_hash(text) for text in TEXTS]) == {text_hash(text) for text in kept}
    again = Server(requests_at_once=2)
    assert embed(again, cache) == len(TEXTS) - len(kept)
    assert not kept & {text for texts in again.asked for text in texts}


class Overrun(Server):
    """Refuses every second request for being too much."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As the server does, if at all."""
        with self._lock:
            self.refused = len(self.asked) % 2 == 0
            self.asked += [list(texts)] * self.refused
        if self.refused:
            refusal = EmbedderUnavailable("429")
            refusal.overrun = True
            raise refusal
        return super().embed(texts)


def test_what_was_too_much_is_asked_again(cache: VectorCache) -> None:
    server = Overrun(requests_at_once=1)
    assert embed(server, cache) == len(TEXTS)
    assert len(server.asked) == 2 * len(TEXTS) / server.texts_a_request
    assert cache.known([text_hash(text) for text in TEXTS]) == {text_hash(text) for text in TEXTS}


def test_the_host_says_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    for given, expected in (("", 8), ("3", 3), (" 16 ", 16)):
        monkeypatch.setenv(REQUESTS_VARIABLE, given)
        assert OpenAICompatible("m", api_key="k").requests_at_once == expected
    for given in ("0", "-1", "many", "1000"):
        monkeypatch.setenv(REQUESTS_VARIABLE, given)
        with pytest.raises(EmbedderRejected, match="from 1 to 256"):
            OpenAICompatible("m", api_key="k")
