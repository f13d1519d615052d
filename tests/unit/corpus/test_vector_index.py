"""The vector index of a corpus: derived from what is published, built anew where it lags behind or is damaged."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import prepared

from backtrail.tools.corpus.manage import check, delete_documents, describe, reindex
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.writing.progress import Silent
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

    def counted(self: FolderStore, layer: str, query: np.ndarray, count: int) -> np.ndarray | None:
        kinds_asked.append(self.kind)
        return search(self, layer, query, count)

    monkeypatch.setattr(FolderStore, "search", counted)
    return kinds_asked


def test_a_small_change_is_answered_for_without_building(store, home: Path, asked: list[str]) -> None:
    store(MANY)
    built = stores(home)
    corpus = store([prepared("d7", [("rewritten entirely", [])]), prepared("d99", [("brand new", [])])], delete=["d8"])
    for text, expected in (("rewritten entirely", "d7#0"), ("brand new", "d99#0"), ("text number 33", "d33#0")):
        assert nearest(corpus, text) == expected
    assert nearest(corpus, "text number 8") not in ("d7#0", "d8#0")
    wait_for_builds()
    assert (stores(home), check("tiny"), len(asked)) == (built, [], 4)


def test_a_large_change_has_it_built_anew_in_the_background(store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(MANY)
    may_build = threading.Event()
    write = BinaryStore._write

    def wait_and_write(self: BinaryStore, *arguments: object) -> None:
        assert threading.current_thread() is not threading.main_thread()
        assert may_build.wait(60)
        write(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(BinaryStore, "_write", wait_and_write)
    corpus = store([prepared(f"e{i}", [(f"later {i}", [])]) for i in range(20)])
    assert nearest(corpus, "later 7") == "e7#0"  # while it is being built
    assert len(stores(home)) == 2  # one of them unfinished
    may_build.set()
    wait_for_builds()
    assert (nearest(corpus, "later 7"), nearest(corpus, "text number 3")) == ("e7#0", "d3#0")
    assert corpus._nearest._index._store.count()["components"] == 80  # type: ignore[union-attr]
    assert check("tiny") == []


def test_no_more_than_two_are_kept_and_what_killed_builds_left_goes(store, home: Path) -> None:
    store(MANY[:5])
    (home / "corpora/tiny/vector_index/contents/000007-dead.unfinished").mkdir()
    for number in range(4):
        store([prepared(f"e{number}", [(f"later {number}", [])])])
        wait_for_builds()
    assert len(stores(home)) == 2
    assert not any(name.endswith("unfinished") for name in stores(home))


@pytest.mark.parametrize("kind", ["chroma", "binary"])
def test_a_damaged_one_is_never_opened_and_built_anew(
    store, home: Path, kind: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, asked: list[str]
) -> None:
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", kind)
    corpus = store(MANY)
    (damaged,) = stores(home)
    file = "chroma.sqlite3" if kind == "chroma" else "components.signs.npy"
    (home / f"corpora/tiny/vector_index/contents/{damaged}/{file}").write_bytes(b"no database")
    assert len(check("tiny")) == 1
    (home / f"corpora/tiny/vector_index/contents/{damaged}/store.json").write_text("{")
    assert describe("tiny").index == ""
    assert nearest(corpus, "text number 33") == "d33#0"
    assert "It is built anew" in caplog.text
    assert asked == []
    wait_for_builds()
    assert nearest(corpus, "text number 33") == "d33#0"
    assert (asked, check("tiny")) == ([kind], [])


def test_one_that_fails_while_it_is_asked_is_passed_over(
    store, home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, asked: list[str]
) -> None:
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "chroma")
    corpus = store(MANY)

    def fail(*_: object) -> np.ndarray:
        raise RuntimeError("the files are gone")

    with monkeypatch.context() as patch:
        patch.setattr(ChromaStore, "_nearest", fail)
        assert nearest(corpus, "text number 33") == "d33#0"
    assert "the files are gone" in caplog.text
    assert (nearest(corpus, "text number 33"), asked) == ("d33#0", ["chroma", "chroma"])  # opened again, not built
    assert len(stores(home)) == 1


def test_a_build_that_fails_is_told_and_searches_go_on(
    store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(BinaryStore, "_write", fail)
    assert nearest(store(MANY), "text number 33") == "d33#0"
    assert "no space left" in caplog.text


def test_another_process_that_builds_is_not_waited_for(store, home: Path, asked: list[str]) -> None:
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


def test_what_is_forgotten_is_in_no_store(store, home: Path) -> None:
    store(MANY)
    before = stores(home)
    delete_documents("tiny", ["d3"])
    assert len(stores(home)) == 1
    assert stores(home) != before
    corpus = open_corpus("tiny", embedder=HashedEmbedder())
    assert nearest(corpus, "text number 4") == "d4#0"
    assert corpus._nearest._index._store.count()["components"] == 59  # type: ignore[union-attr]


def test_another_kind_is_built_where_it_is_to_serve(store, embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    store(MANY)
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "chroma")
    corpus = store([prepared("b", [("second", [])])])
    wait_for_builds()
    assert (nearest(corpus, "second"), describe("tiny").index, check("tiny")) == ("b#0", "chroma", [])
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "lance")
    reindex("tiny", opened=embedder)
    assert (describe("tiny").index, check("tiny")) == ("lance", [])


def test_the_kind_goes_by_size_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for named in ("auto", ""):
        monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", named)
        assert chosen_kind(0) == chosen_kind(CHROMA_UP_TO) == "chroma"
        assert chosen_kind(CHROMA_UP_TO + 1) == "binary"
    monkeypatch.setenv("BACKTRAIL_CHROMA_URL", "http://127.0.0.1:1")
    assert chosen_kind(CHROMA_UP_TO + 1) == "chroma"


def test_a_kind_that_does_not_exist_is_refused_before_anything_is_written(
    store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "flat")
    with pytest.raises(SettingsError, match=r"'flat'\. Use one of: auto, chroma, binary, lance\."):
        store(MANY)
    assert not (home / "corpora/tiny/index").exists()


@pytest.mark.parametrize("kind", sorted(kinds.KINDS))
def test_a_kind_can_be_tried(kind: str) -> None:
    assert kinds.finds_a_vector(kind)


def test_a_server_that_is_away_is_named(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "auto")
    monkeypatch.setenv("BACKTRAIL_CHROMA_URL", "http://127.0.0.1:1")
    with open_writer("tiny", "hashed", HashedEmbedder()) as writer:
        writer.put(MANY)
        writer.publish(Silent())
    assert "The Chroma server http://127.0.0.1:1 does not answer" in caplog.text
    assert nearest(open_corpus("tiny", embedder=HashedEmbedder()), "text number 33") == "d33#0"
