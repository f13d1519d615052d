from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.store.sync_mirror import sync_mirror
from backtrail.tools.corpus.tables.prepared import PreparedDocument
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
def store(request: pytest.FixtureRequest, embedder: HashedEmbedder, tmp_path: Path) -> Store:
    """Store documents in a corpus and open it; with ``both_stores`` also through a store, as another machine does."""
    shared = getattr(request, "param", "embedded") == "shared"
    if shared:
        pytest.importorskip("lance", reason="pylance is not installed; pip install -e '.[scale]' brings it.")
        (tmp_path / "store").mkdir()
        patch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
        patch.setenv("BACKTRAIL_STORE", f"lance:{tmp_path / 'store'}")
        patch.setenv("BACKTRAIL_STORE_POLL", "3600")

    def make(documents: Sequence[PreparedDocument], name: str = "tiny", delete: Sequence[str] = ()) -> StoredCorpus:
        if shared:
            patch.setenv("BACKTRAIL_HOME", str(tmp_path / "writer"))
        with open_writer(name, "hashed", embedder) as writer:
            refused = writer.put(documents)
            assert not refused
            writer.delete(delete)
            writer.publish(Silent())
        if shared:
            patch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
            sync_mirror(name)
        return open_corpus(name, embedder=embedder)

    return make
