"""What every vector store does, tried on each."""

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import chromadb
import numpy as np
import pytest
from unit.vector_stores.conftest import clustered, layer

from backtrail.tools.vector_stores import chroma
from backtrail.tools.vector_stores.errors import StoreDamaged
from backtrail.tools.vector_stores.folder_store import UNFINISHED, FolderStore
from backtrail.tools.vector_stores.kinds import KINDS, store_at

Open = Callable[[str], FolderStore]


@pytest.fixture(params=sorted(KINDS))
def at(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Makes stores of one kind, by name, and closes them."""
    if request.param == "lance" and importlib.util.find_spec("lance") is None:
        pytest.skip("pylance is not installed; pip install -e '.[scale]' brings it.")
    made: list[FolderStore] = []

    def make(name: str) -> FolderStore:
        made.append(store_at(request.param, tmp_path / name, name))
        return made[-1]

    yield make
    for store in made:
        store.close()


def recall(store: FolderStore, name: str, vectors: np.ndarray, queries: np.ndarray) -> float:
    """Share of the ten nearest that are among what a store gives."""
    shares = []
    for query in queries:
        found = store.search(name, query, 10)
        assert found is not None
        wanted = np.argsort(-(vectors @ query))[:10]
        shares.append(np.isin(wanted, found).mean())
    return float(np.mean(shares))


def test_it_finds_the_nearest_and_counts_what_it_holds(at: Open) -> None:
    rows, others = clustered(12_000, 96, 2), clustered(40, 32, 3)
    store, indexed = at("one"), []
    store.build({"rows": layer(rows), "others": layer(others), "none": layer(rows[:0])}, indexed.append)
    assert store.count() == {"rows": 12_000, "others": 40, "none": 0}
    assert sum(indexed) == 12_040
    assert recall(store, "rows", rows, clustered(40, 96, 4)) >= 0.98
    assert recall(store, "others", others, clustered(20, 32, 5)) == 1
    assert store.search("none", rows[0], 3) is None


def test_changes_since_it_was_built_are_answered_for_and_another_embedder_is_not_compared(at: Open) -> None:
    rows = clustered(600, 64, 2)
    at("one").build({"rows": layer(rows[:500])}, lambda _: None)
    store = at("one")
    store.open()
    assert store.update({"rows": layer(rows[:500])}) == 0
    kept = [key for key in range(500) if key % 7] + list(range(500, 540))
    after = rows[kept]
    assert store.update({"rows": layer(after, kept)}) == pytest.approx((72 + 40) / len(kept))
    assert recall(store, "rows", after, np.concatenate([rows[500:540], clustered(20, 64, 4)])) >= 0.99
    assert store.update({"rows": layer(rows[500:], range(500, 600))}) == 1
    assert store.search("rows", rows[500], 5) is None  # nothing of it was built
    assert store.update({"rows": layer(clustered(50, 32, 2), embedder="other")}) == 1
    assert store.search("rows", clustered(1, 32, 3)[0], 5) is None


def test_an_item_may_have_several_vectors(at: Open) -> None:
    rows = clustered(300, 64, 2)
    store = at("one")
    store.build({"rows": layer(rows, [n // 3 for n in range(300)])}, lambda _: None)
    kept = [n for n in range(300) if n // 3 not in (4, 50)]
    store.update({"rows": layer(rows[kept], [n // 3 for n in kept])})
    assert recall(store, "rows", rows[kept], clustered(20, 64, 4)) == 1


def test_what_is_cut_off_or_altered_is_never_opened(at: Open, tmp_path: Path) -> None:
    store = at("one")
    store.build({"rows": layer(clustered(50, 64, 2))}, lambda _: None)
    store.close()
    for file in [file for file in (tmp_path / "one").rglob("*") if file.is_file() and file.stat().st_size]:
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(StoreDamaged):
            store_at(store.kind, tmp_path / "one", "one").open()
        file.write_bytes(whole)
    store_at(store.kind, tmp_path / "one", "one").open()


def test_a_build_that_fails_leaves_nothing(at: Open, tmp_path: Path) -> None:
    def fail(_: int) -> None:
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        at("one").build({"rows": layer(clustered(50, 64, 2))}, fail)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / f"one{UNFINISHED}").mkdir()  # of a process that was killed
    (tmp_path / f"one{UNFINISHED}" / "store.json").write_text("{")
    store = at("one")
    store.build({"rows": layer(clustered(50, 64, 2))}, lambda _: None)
    assert store.count() == {"rows": 50}


def test_a_client_may_be_closed_while_another_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Garbage collection closes clients whenever it runs, also in the thread that opens one."""
    first = chroma._open_client(tmp_path / "first")
    opening = chromadb.PersistentClient

    def collected_meanwhile(*given: object, **named: object) -> object:
        chroma._close_client(first)
        return opening(*given, **named)

    monkeypatch.setattr(chromadb, "PersistentClient", collected_meanwhile)
    chroma._close_client(chroma._open_client(tmp_path / "second"))
