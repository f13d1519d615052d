"""Edges of the component graph: which there are, what they score, and what is ranked by them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.nodes.lilac.edges import Edge, Matches, Pair, best_edges, led_there, match, pairs_of
from backtrail.state.component import Component, Link
from backtrail.state.hop import Granularity, Scored

CHILDREN = {"a": ["a1", "a2"], "b": ["b1"], "c": ["c1"]}
LINKS = {"a1": [Link(target="b", row=2), Link(target="b", row=5)], "b1": [Link(target="c")]}
SIMILAR = {"a1": (0.9, 0.1), "a2": (0.3, 0.0), "b1": (0.2, 0.8), "c1": (0.5, 0.5)}


class Four:
    """Four components of three documents; similarities with the two subqueries are given."""

    def embed(self, texts: Sequence[str]) -> Any:
        return np.eye(2, dtype=np.float32)[[int(text[-1]) for text in texts]]

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        return {
            key: Component(id=key, document=key[0], position=0, modality="text", text=key)
            for key in ids
            if key in SIMILAR
        }

    def links(self, ids: Collection[str]) -> dict[str, list[Link]]:
        return {key: LINKS.get(key, []) for key in ids}

    def children(self, ids: Collection[str]) -> dict[str, list[str]]:
        return {key: CHILDREN[key] for key in ids if key in CHILDREN}

    def search_components(
        self, query: Any, granularity: Granularity, limit: int, documents: Collection[str]
    ) -> list[Scored]:
        assert granularity == "subcomponent"
        column = int(np.argmax(query))
        ids = [key for document in documents for key in CHILDREN.get(document, [])]
        return [Scored(id=key, score=SIMILAR[key][column]) for key in ids][:limit]


CORPUS: Any = Four()


def searched(frontier: list[str], keep: int = 30) -> tuple[list[Edge], Matches]:
    pairs, documents = pairs_of(CORPUS, frontier)
    matches = match(CORPUS, ["subquery 0", "subquery 1"], documents, words=False)
    return best_edges(pairs, matches, keep), matches


def test_edges_follow_links_and_join_components_of_a_document() -> None:
    pairs, documents = pairs_of(CORPUS, ["a1"])
    assert pairs == [Pair("a1", "b1", True, 2), Pair("a1", "a2", False)]  # each pair once, by its first link
    assert documents == {"a", "b"}


def test_a_component_that_is_gone_starts_nothing() -> None:
    assert pairs_of(CORPUS, ["gone"]) == ([], set())


def test_an_edge_scores_the_best_match_on_either_end() -> None:
    edges, _ = searched(["a1"])
    assert [(edge.pair.source, edge.pair.target, edge.score) for edge in edges] == [
        ("a1", "b1", 1.7),  # 0.9 from the one end, 0.8 from the other
        ("a1", "a1", 1.0),  # a2 adds nothing to it: no edge
        ("b1", "b1", 1.0),
        ("a2", "a2", 0.3),
    ]


def test_the_beam_is_never_wider_than_asked() -> None:
    edges, _ = searched(["a1", "b1"], keep=2)
    assert [edge.score for edge in edges] == [1.7, 1.3]


def test_what_led_there_is_the_link_of_the_best_edge() -> None:
    edges, _ = searched(["a1", "b1"])
    assert led_there(edges) == {"b1": Pair("a1", "b1", True, 2), "c1": Pair("b1", "c1", True, None)}


similarities = st.lists(
    st.lists(st.integers(0, 9), min_size=2, max_size=2), min_size=1, max_size=6
)  # of up to six components with two subqueries, in tenths


@given(similarities, st.integers(1, 12), st.data())
def test_the_kept_edges_are_the_best_of_all(rows: list[list[int]], keep: int, data: st.DataObject) -> None:
    ids = [f"c{index}" for index in range(len(rows))]
    joined = data.draw(st.sets(st.tuples(st.sampled_from(ids), st.sampled_from(ids))))
    pairs = [Pair(*sorted(ends), linked=False) for ends in joined if ends[0] != ends[1]]
    pairs = list(dict.fromkeys(pairs))
    matches = Matches({key: row for row, key in enumerate(ids)}, np.array(rows) / 10)
    held = dict(zip(ids, rows, strict=True))
    both = {pair: sum(map(max, held[pair.source], held[pair.target])) / 10 for pair in pairs}
    scores = [sum(row) / 10 for row in rows]
    scores += [score for pair, score in both.items() if score > max(map(matches.alone, pair[:2])) + 1e-4]
    found = best_edges(pairs, matches, keep)
    assert [edge.score for edge in found] == pytest.approx(sorted(scores, reverse=True)[:keep])
