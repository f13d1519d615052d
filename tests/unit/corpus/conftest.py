from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.writing.open_writer import open_writer
from backtrail.tools.corpus.writing.prepared import PreparedDocument
from backtrail.tools.corpus.writing.progress import Silent

Store = Callable[..., StoredCorpus]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def embedder() -> HashedEmbedder:
    return HashedEmbedder()


@pytest.fixture
def store(embedder: HashedEmbedder) -> Store:
    """Store documents in a corpus and open it."""

    def make(documents: Sequence[PreparedDocument], name: str = "tiny", delete: Sequence[str] = ()) -> StoredCorpus:
        with open_writer(name, "hashed", embedder) as writer:
            refused = writer.put(documents)
            assert not refused
            writer.delete(delete)
            writer.publish(Silent())
        return open_corpus(name, embedder=embedder)

    return make
