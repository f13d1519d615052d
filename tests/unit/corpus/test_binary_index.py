"""The index by signs of vectors: what it finds, and what a change leaves of it."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from fixtures.tiny_corpora import prepared

from backtrail.tools.corpus.generation import Layer, generation_folder
from backtrail.tools.corpus.manage import check, describe, reindex
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.search import binary_index, closest_signs, nearest
from backtrail.tools.corpus.search.binary_index import BinaryIndex, build_binary
from backtrail.tools.corpus.search.vector_index import CHROMA_UP_TO, EXACT_UP_TO, chosen_kind
from backtrail.tools.corpus.text_rows import text_rows
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.errors import SettingsError


@pytest.fixture(autouse=True)
def binary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_VECTOR_INDEX", "binary")


def clustered(count: int, dimension: int, seed: int) -> Vectors:
    """Vectors as texts have them: topics, few free dimensions, and a mean that is not zero."""
    chosen = np.random.default_rng(seed)
    spread = np.random.default_rng(0).normal(size=(24, dimension))
    topics = np.random.default_rng(1).normal(size=(60, 24))
    vectors = (topics[chosen.integers(60, size=count)] + 0.7 * chosen.normal(size=(count, 24))) @ spread + 1.5
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def layer(vectors: Vectors, keys: list[int] | None = None) -> Layer:
    ids = [f"r{n}" for n in range(len(vectors))]
    return Layer("rows", text_rows(ids), np.array(keys if keys is not None else range(len(vectors)), np.int64), vectors)


@pytest.mark.parametrize("dimension", [384, 100])
def test_the_nearest_are_found(tmp_path: Path, dimension: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closest_signs, "_BLOCK", 1_000)
    monkeypatch.setattr(closest_signs, "_WORTH_A_THREAD", 5_000)
    held = layer(clustered(20_000, dimension, 2))
    build_binary(tmp_path / "binary", {"rows": held}, None, None, Silent())
    index = BinaryIndex(tmp_path / "binary", {"rows": held})
    recalls = []
    for query in clustered(50, dimension, 3):
        found = index.nearest("rows", query, 10)
        scores = held.vectors @ query
        assert np.all(np.diff(scores[found]) <= 0)
        recalls.append(np.mean(scores[found] >= np.sort(scores)[-10]))
    assert np.mean(recalls) >= 0.98


def test_copies_of_one_vector_do_not_make_a_search_long(tmp_path: Path) -> None:
    held = layer(np.repeat(clustered(1, 64, 4), 30_000, axis=0))
    build_binary(tmp_path / "binary", {"rows": held}, None, None, Silent())
    found = BinaryIndex(tmp_path / "binary", {"rows": held}).nearest("rows", held.vectors[0], 10)
    assert len(found) == 10


@pytest.mark.parametrize("layout", [2, 3])
def test_a_change_keeps_the_signs_of_what_stays(tmp_path: Path, layout: int) -> None:
    vectors = clustered(3_000, 128, 5)
    before = layer(vectors[:2_000])
    build_binary(tmp_path / "one", {"rows": before}, None, None, Silent())
    if layout == 2:  # rows were written one behind the other
        signs = np.load(tmp_path / "one" / "rows.signs.npy")
        (tmp_path / "one" / "rows.signs.npy").unlink()
        np.save(tmp_path / "one" / "rows.bits.npy", signs.T)
        assert len(BinaryIndex(tmp_path / "one", {"rows": before}).nearest("rows", before.vectors[0], 5)) == 5
    kept = [key for key in range(3_000) if key % 7]
    after = layer(vectors[kept], kept)
    build_binary(tmp_path / "two", {"rows": after}, tmp_path / "one", {"rows": before}, Silent())
    mean = np.load(tmp_path / "one" / "rows.mean.npy")
    assert np.array_equal(np.load(tmp_path / "two" / "rows.mean.npy"), mean)
    assert np.array_equal(np.load(tmp_path / "two" / "rows.signs.npy").T, binary_index.signs(after.vectors, mean))


def test_an_index_of_other_rows_is_refused(tmp_path: Path) -> None:
    held = layer(clustered(100, 64, 6))
    with pytest.raises(ValueError, match="cannot be opened"):
        BinaryIndex(tmp_path, {"rows": held})
    build_binary(tmp_path / "binary", {"rows": held}, None, None, Silent())
    with pytest.raises(ValueError, match="holds 100 rows, 60 expected"):
        BinaryIndex(tmp_path / "binary", {"rows": layer(held.vectors[:60])})


def test_a_corpus_is_searched_by_signs(store, home: Path) -> None:
    documents = [prepared(f"d{i}", [(f"text number {i}", [f"piece {i}", f"other {i}"])]) for i in range(60)]
    store(documents)
    corpus = store([prepared("d7", [("rewritten entirely", [])])], delete=["d8"])
    corpus._nearest._exact_up_to = 0
    for text, expected in (("rewritten entirely", "d7#0"), ("text number 33", "d33#0")):
        assert corpus.search_components(corpus.embed([text]), "component", 1)[0]["id"] == expected
    assert corpus._nearest._index is not None
    assert corpus._nearest._index.counts() == {"documents": 59, "components": 59, "subcomponents": 116}
    assert check("tiny") == []
    assert describe("tiny").index == "binary"


def test_a_damaged_index_is_passed_over(store, home: Path, caplog: pytest.LogCaptureFixture) -> None:
    corpus = store([prepared(f"d{i}", [(f"text number {i}", [])]) for i in range(5)])
    (generation_folder(home / "corpora" / "tiny", 1) / "binary" / "components.signs.npy").write_bytes(b"no array")
    corpus._nearest._exact_up_to = 0
    assert corpus.search_components(corpus.embed(["text number 3"]), "component", 1)[0]["id"] == "d3#0"
    assert "backtrail corpus reindex tiny" in caplog.text
    assert any("does not fit" in problem for problem in check("tiny"))


def test_another_kind_is_built_by_the_next_change(store, home: Path, embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    store([prepared("a", [("first", [])])])
    monkeypatch.setenv("BACKTRAIL_VECTOR_INDEX", "chroma")
    store([prepared("b", [("second", [])])])
    assert (describe("tiny").index, check("tiny")) == ("chroma", [])
    monkeypatch.setenv("BACKTRAIL_VECTOR_INDEX", "binary")
    reindex("tiny", opened=embedder)
    assert (describe("tiny").index, check("tiny")) == ("binary", [])


def test_the_kind_goes_by_size_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen_kind([30_000]) == "binary"
    monkeypatch.setenv("BACKTRAIL_VECTOR_INDEX", "auto")
    assert chosen_kind([]) == chosen_kind([EXACT_UP_TO, EXACT_UP_TO]) == "binary"  # no index of it would be asked
    assert chosen_kind([1, CHROMA_UP_TO - 1]) == "chroma"
    assert chosen_kind([1, CHROMA_UP_TO]) == "binary"
    monkeypatch.setenv("BACKTRAIL_CHROMA_URL", "http://127.0.0.1:1")
    assert chosen_kind([3]) == chosen_kind([CHROMA_UP_TO + 1]) == "chroma"
    monkeypatch.setenv("BACKTRAIL_VECTOR_INDEX", "flat")
    with pytest.raises(SettingsError, match=r"'flat'\. Use auto, chroma or binary"):
        chosen_kind([3])


def test_the_nearest_among_some_rows_are_found(tmp_path: Path) -> None:
    held = layer(clustered(12_000, 128, 2))
    build_binary(tmp_path / "binary", {"rows": held}, None, None, Silent())
    index = BinaryIndex(tmp_path / "binary", {"rows": held})
    some = np.random.default_rng(4).random(12_000) < 0.7
    recalls = []
    for query in clustered(20, 128, 3):
        found = index.nearest("rows", query, 10, some)
        assert np.all(some[found])
        recalls.append(np.mean((held.vectors @ query)[found] >= np.sort((held.vectors @ query)[some])[-10]))
    assert np.mean(recalls) >= 0.98
    few = np.arange(12_000) % 1_000 == 5
    assert sorted(index.nearest("rows", held.vectors[5], 40, few)) == np.flatnonzero(few).tolist()


def test_components_without_pieces_are_not_all_scored(store, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = store([prepared(f"d{i}", [(f"text number {i}", []), (f"other {i}", ["a", "b"])]) for i in range(30)])
    corpus._nearest._exact_up_to = 5
    monkeypatch.setattr(nearest, "component_scores", scored := Mock(wraps=nearest.component_scores))
    query = corpus.embed(["text number 17"])
    assert [hit["id"] for hit in corpus.search_components(query, "subcomponent", 1)] == ["d17#0"]
    assert [hit["id"] for hit in corpus.search_documents(query, "subcomponent", 1)] == ["d17"]
    assert all(call.args[1] is not None for call in scored.call_args_list)
    assert corpus._nearest._bare["component"].__dict__.keys().isdisjoint({"vectors"})  # none are held
