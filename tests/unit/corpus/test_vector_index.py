"""The vector index of a corpus: derived from what is published, built anew where it lags behind or is damaged."""

import shutil
import threading
from pathlib import Path

import pytest
from filelock import FileLock
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import prepared

from backtrail.tools.corpus.manage import check, delete_documents, describe, reindex
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.errors import SettingsError
from backtrail.tools.vector_stores import kinds
from backtrail.tools.vector_stores.binary import BinaryStore
from backtrail.tools.vector_stores.chroma import ChromaStore
from backtrail.tools.vector_stores.folder_store import FolderStore
from backtrail.tools.vector_stores.index_folder import wait_for_builds
from backtrail.tools.vector_stores.kinds import CHROMA_UP_TO, chosen_kind

MANY = [prepared(f"d{i}", [(f"text number {i}", [f"piece {i}", f"other {i}"])]) for i in range(60)]


def nearest(corpus: StoredCorpus, text: str) -> str:
    return corpus.search_components(corpus.embed([text]), "component", 1)[0]["id"]


def stores(home: Path) -> list[str]:
    return sorted(entry.name for entry in (home / "corpora/tiny/vector_index/contents").iterdir() if entry.is_dir())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kind of each store that is asked, query by query."""
    kinds_asked: list[str] = []
    search = FolderStore.search
    monkeypatch.setattr(FolderStore, "search", lambda self, *more: kinds_asked.append(self.kind) or search(self, *more))
    return kinds_asked


def test_a_small_change_is_answered_for_without_building(store, home, asked):
    store(MANY)
    built = stores(home)
    corpus = store([prepared("d7", [("rewritten entirely", [])]), prepared("d99", [("brand new", [])])], delete=["d8"])
    for text, expected in (("rewritten entirely", "d7#0"), ("brand new", "d99#0"), ("text number 33", "d33#0")):
        assert nearest(corpus, text) == expected
    assert nearest(corpus, "text number 8") not in ("d7#0", "d8#0")
    wait_for_builds()
    assert (stores(home), check("tiny"), len(asked)) == (built, [], 4)


def test_a_large_change_has_it_built_anew_in_the_background(store, home, monkeypatch):
    store(MANY)
    may_build, write = threading.Event(), BinaryStore._write

    def wait_and_write(*given):
        assert threading.current_thread() is not threading.main_thread()
        assert may_build.wait(60)
        write(*given)

    monkeypatch.setattr(BinaryStore, "_write", wait_and_write)
    corpus = store([prepared(f"e{i}", [(f"later {i}", [])]) for i in range(20)])
    assert nearest(corpus, "later 7") == "e7#0"  # while it is being built
    assert len(stores(home)) == 2  # one of them unfinished
    may_build.set()
    wait_for_builds()
    assert (nearest(corpus, "later 7"), nearest(corpus, "text number 3")) == ("e7#0", "d3#0")
    assert corpus._nearest._index._store.count()["components"] == 80  # type: ignore[union-attr]
    assert check("tiny") == []


def test_no_more_than_two_are_kept_and_what_killed_builds_left_goes(store, home):
    store(MANY[:5])
    (home / "corpora/tiny/vector_index/contents/000007-dead.unfinished").mkdir()
    for number in range(4):
        store([prepared(f"e{number}", [(f"later {number}", [])])])
        wait_for_builds()
    before = stores(home)
    assert len(before) == 2
    assert not any(name.endswith("unfinished") for name in before)
    delete_documents("tiny", ["d3"])
    assert len(stores(home)) == 1
    assert stores(home)[0] not in before, "what is forgotten is in no store"
    corpus = open_corpus("tiny", embedder=HashedEmbedder())
    assert nearest(corpus, "text number 4") == "d4#0"
    assert corpus._nearest._index._store.count()["components"] == 8  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", ["chroma", "binary"])
def test_a_damaged_one_is_never_opened_and_built_anew(store, home, kind, monkeypatch, caplog, asked):
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", kind)
    corpus = store(MANY)
    (damaged,) = stores(home)
    file = "chroma.sqlite3" if kind == "chroma" else "components.signs.npy"
    (home / f"corpora/tiny/vector_index/contents/{damaged}/{file}").write_bytes(b"no database")
    assert len(check("tiny")) == 1
    (home / f"corpora/tiny/vector_index/contents/{damaged}/store.json").write_text("{")
    assert describe("tiny").index == ""
    assert nearest(corpus, "text number 33") == "d33#0"
    assert "It is rebuilt" in caplog.text
    assert asked == []
    wait_for_builds()
    assert nearest(corpus, "text number 33") == "d33#0"
    assert (asked, check("tiny")) == ([kind], [])


def test_a_build_or_a_search_that_fails_is_told_and_passed_over(store, home, monkeypatch, caplog, asked):
    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(BinaryStore, "_write", fail)
        assert nearest(store(MANY), "text number 33") == "d33#0"
    assert ("the disk is gone" in caplog.text, asked) == (True, [])
    caplog.clear()
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "chroma")
    corpus = store([prepared("new", [("brand new", [])])])
    wait_for_builds()
    with monkeypatch.context() as patch:
        patch.setattr(ChromaStore, "_nearest", fail)
        assert nearest(corpus, "text number 33") == "d33#0"
    assert "the disk is gone" in caplog.text
    assert (nearest(corpus, "text number 33"), asked) == ("d33#0", ["chroma", "chroma"])  # opened again, not built
    assert len(stores(home)) == 1


def test_another_process_that_builds_is_not_waited_for(store, home, asked):
    corpus = store(MANY)
    folder = home / "corpora/tiny/vector_index/contents"
    shutil.rmtree(folder / stores(home)[0])
    with FileLock(folder / "lock"):
        assert nearest(corpus, "text number 33") == "d33#0"
        wait_for_builds()
    assert (stores(home), asked) == ([], [])
    nearest(corpus, "text number 33")
    wait_for_builds()
    assert (nearest(corpus, "text number 33"), asked, len(stores(home))) == ("d33#0", ["binary"], 1)


def test_another_kind_is_built_where_it_is_to_serve(store, embedder, monkeypatch):
    store(MANY)
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "chroma")
    corpus = store([prepared("b", [("second", [])])])
    wait_for_builds()
    assert (nearest(corpus, "second"), describe("tiny").index, check("tiny")) == ("b#0", "chroma", [])
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "lance")
    reindex("tiny", opened=embedder)
    assert (describe("tiny").index, check("tiny")) == ("lance", [])


def test_the_kind_goes_by_size_unless_it_is_named(monkeypatch):
    for named in ("auto", ""):
        monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", named)
        assert chosen_kind(0) == chosen_kind(CHROMA_UP_TO) == "chroma"
        assert chosen_kind(CHROMA_UP_TO + 1) == "binary"
    monkeypatch.setenv("BACKTRAIL_CHROMA_URL", "http://127.0.0.1:1")
    assert chosen_kind(CHROMA_UP_TO + 1) == "chroma"


def test_a_kind_that_does_not_exist_is_refused_before_anything_is_written(store, home, monkeypatch):
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "flat")
    with pytest.raises(SettingsError, match=r"'flat'\. Use one of: auto, chroma, binary, lance\."):
        store(MANY)
    assert not (home / "corpora/tiny/index").exists()
    assert all(map(kinds.finds_a_vector, kinds.KINDS)), "each of the others can be tried"


def test_a_server_that_is_away_is_named(store, monkeypatch, caplog):
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "auto")
    monkeypatch.setenv("BACKTRAIL_CHROMA_URL", "http://127.0.0.1:1")
    corpus = store(MANY)
    assert "The Chroma server http://127.0.0.1:1 does not answer" in caplog.text
    assert nearest(corpus, "text number 33") == "d33#0"
