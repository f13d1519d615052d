"""Max over descendants and MaxSim over pages equal brute force, whatever the shape of the corpus."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.tools.arrays.text_rows import TextRows, codes_of, hashes_of
from backtrail.tools.corpus.generation import Generation, Layer
from backtrail.tools.corpus.pages import max_sim as module
from backtrail.tools.corpus.pages.max_sim import max_sim
from backtrail.tools.corpus.search.dense import DenseSearch
from backtrail.tools.corpus.search.exact import best

DIMENSION = 8


def text_rows(texts: list[str]) -> TextRows:
    start = np.cumsum([0, *map(len, texts)])
    return TextRows(np.frombuffer("".join(texts).encode(), np.uint8), start, codes_of(hashes_of(texts)))


def generation(shape: list[list[int]], seed: int) -> Generation:
    """Documents as lists of components, these as numbers of pieces; random unit vectors, some equal."""
    random = np.random.default_rng(seed)
    components = [count for document in shape for count in document]

    def layer(name: str, total: int) -> Layer:
        vectors = random.normal(size=(total, DIMENSION)).astype(np.float32)
        if total > 2:
            vectors[1] = vectors[0]  # a tie
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return Layer(name, text_rows([f"{name}{i}" for i in range(total)]), np.arange(total), vectors)

    return Generation(
        Path("nowhere"),
        1,
        layer("d", len(shape)),
        layer("c", len(components)),
        layer("s", sum(components)),
        np.cumsum([0, *map(len, shape)]),
        np.cumsum([0, *components]),
    )


def brute_component(held: Generation, row: int, query: np.ndarray, by_pieces: bool) -> float:
    pieces = range(held.subcomponent_start[row], held.subcomponent_start[row + 1])
    if by_pieces and pieces:
        return max(float(held.subcomponents.vectors[i] @ query) for i in pieces)
    return float(held.components.vectors[row] @ query)


def brute_document(held: Generation, row: int, query: np.ndarray, depth: int) -> float:
    children = range(held.component_start[row], held.component_start[row + 1])
    if depth and children:
        return max(brute_component(held, child, query, depth == 2) for child in children)
    return float(held.documents.vectors[row] @ query)


shapes = st.lists(st.lists(st.integers(0, 4), max_size=4), min_size=1, max_size=12)
layers = st.sampled_from(["document", "component", "subcomponent"])
DEPTH = {"document": 0, "component": 1, "subcomponent": 2}


class EverythingInOrder:
    """An index without loss, as the approximate one would be at its best; or one that knows nothing better."""

    def __init__(self, held: Generation, proposes: bool) -> None:
        self._held, self._proposes = held, proposes

    def search(self, layer_name: str, query: np.ndarray, count: int) -> np.ndarray | None:
        if not self._proposes:
            return None
        layer = self._held.by_name[layer_name]
        ids = [id_ for id_, _ in best(layer.ids, None, layer.vectors @ query, count)]
        return np.array(list(layer.ids.find(ids).values()), np.int64)


@settings(max_examples=150, deadline=None)
@given(shape=shapes, seed=st.integers(0, 999), layer=layers, limit=st.integers(0, 6), restricted=st.booleans())
@pytest.mark.parametrize(("proposes", "small_parts"), [(False, True), (True, True), (True, False)])
def test_search_documents_is_brute_force(shape, seed, layer, limit, restricted, proposes, small_parts):
    held = generation(shape, seed)
    query = np.random.default_rng(seed + 1).normal(size=DIMENSION).astype(np.float32)
    rows = np.flatnonzero(np.random.default_rng(seed).random(len(shape)) < 0.5) if restricted else None
    nearest = DenseSearch(held, EverythingInOrder(held, proposes), 25_000 if small_parts else -1)  # type: ignore[arg-type]
    found = nearest.search("document", layer, query, limit, rows)
    allowed = range(len(shape)) if rows is None else rows
    expected = {f"d{row}": round(brute_document(held, int(row), query, DEPTH[layer]), 5) for row in allowed}
    assert len(found) == min(limit, len(expected))
    assert [round(hit["score"], 5) for hit in found] == pytest.approx(sorted(expected.values())[::-1][:limit], abs=3e-5)
    assert all(hit["score"] == pytest.approx(expected[hit["id"]], abs=3e-5) for hit in found)
    assert found == sorted(found, key=lambda hit: (-hit["score"], hit["id"]))


def test_equal_scores_are_ordered_by_id():
    scores = np.array([0.5, 0.9, 0.5, 0.5 + 1e-8], np.float32)
    assert best(text_rows(["d", "x", "b", "a"]), None, scores, 3) == [("x", 0.9), ("a", 0.5), ("b", 0.5)]


@pytest.mark.parametrize("block", [1, 4 * 20 * (8 + 3), module.BLOCK])
def test_a_page_scores_the_best_match_of_each_vector_of_the_question(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK", block)
    draw = np.random.default_rng(0)
    question = draw.standard_normal((3, 8)).astype(np.float32)
    pages = [draw.standard_normal((size, 8)).astype(np.float16) for size in (1, 7, 30, 12, 1, 5)]
    expected = [sum(max(float(row @ part) for row in page.astype(np.float32)) for part in question) for page in pages]
    np.testing.assert_allclose(max_sim(question, iter(pages)), expected, rtol=1e-5)
    assert max_sim(question, []).shape == (0,)
