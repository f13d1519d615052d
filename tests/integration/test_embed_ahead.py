"""A server embeds what was read while more is read; what it answered is kept, and nothing is asked for twice."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.staged import Staged
from fixtures.tiny_corpora import write_bundle

from backtrail.ingest.change import store_documents
from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.manage import check
from backtrail.tools.embedders.errors import EmbedderRejected, EmbedderUnavailable, EmbedderWeightsMismatch
from backtrail.tools.embedders.protocol import Vectors


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_documents, "BATCH", 5)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return write_bundle(tmp_path / "bundle", {f"d{n}": [f"Text {n}. The same in all."] for n in range(40)})


class Server(HashedEmbedder):
    """Implements ``RemoteEmbedder``; fails from some request on."""

    texts_a_request, requests_at_once = 8, 3

    def __init__(self, failure: Exception | None = None, after: int = 0) -> None:
        super().__init__()
        self._failure, self._after = failure, after
        self._asked, self._lock = 0, Lock()
        self.stages: list[str] = []
        self.progress = Staged()

    def embed(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            self._asked += 1
            self.stages.append(self.progress.now)
            if self._failure is not None and self._asked > self._after:
                raise self._failure
            return super().embed(texts)


def run(bundle: Path, server: Server, corpus: str = "kept"):
    return ingest([bundle], corpus, embedder="hashed", opened=server, progress=server.progress)


def test_texts_are_embedded_while_others_are_read_and_nothing_is_started_where_nothing_is_new(bundle: Path) -> None:
    class Started(Server):
        """One whose copies are started when it is asked how many there are."""

        starts = 0

        @property
        def requests_at_once(self) -> int:
            self.starts += 1
            return 3

    server = Started()
    report = run(bundle, server)
    assert server.starts > 0
    assert set(server.stages) == {"read"}
    assert max(Counter(server.embedded).values()) == 1
    alone = HashedEmbedder()
    expected = ingest([bundle], "alone", embedder="hashed", opened=alone)
    assert (report.embedded, report.version) == (expected.embedded, expected.version)
    assert sorted(server.embedded) == sorted(alone.embedded)
    assert check("kept") == []
    again = Started()
    ingest([bundle], "kept", embedder="hashed", opened=again, forget=True)  # has something to publish
    assert (again.starts, again.embedded) == (0, [])


def test_after_a_failure_the_publishing_asks_for_the_rest(bundle: Path) -> None:
    failing = Server(EmbedderUnavailable("the server answered 503"), after=4)
    with pytest.raises(EmbedderUnavailable, match="503"):
        run(bundle, failing)
    assert len(failing.embedded) == 4 * 8
    again = Server()
    run(bundle, again)
    assert not set(failing.embedded) & set(again.embedded)
    assert check("kept") == []


@pytest.mark.parametrize("refusal", [EmbedderRejected("no such model"), EmbedderWeightsMismatch("other weights")])
def test_a_server_that_refuses_for_good_ends_the_reading(bundle: Path, refusal: Exception) -> None:
    refusing = Server(refusal)
    with pytest.raises(type(refusal), match=str(refusal)):
        run(bundle, refusing)
    assert set(refusing.stages) == {"read"}
    assert refusing.progress.now == "read"
