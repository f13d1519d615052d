"""LILaC: its edges, and its machine with seeds, iterations, what it writes down, and where it stops."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.nodes.lilac.edges import Edge, Matches, Pair, best_edges, best_links, match, pairs_of
from backtrail.state.component import Component, Link
from backtrail.state.hop import Granularity, Scored
from backtrail.state.lilac.settings import LilacSettings
from backtrail.state.settings import Budget

QUESTION = "When was the spacecraft that flew past Triton launched?"
SUBQUERIES = ["Which spacecraft flew past Triton?", "When was Voyager 2 launched?"]
PLAN = {"subqueries": [{"text": SUBQUERIES[0]}, {"text": SUBQUERIES[1], "depends_on": [0]}]}


@pytest.fixture
def lilac(machine: Callable[..., Any], read_first: Any) -> Callable[..., Any]:
    return lambda script=None, **settings: machine(
        "lilac", {"fif_decompose": lambda inputs: PLAN, "answer": read_first, **(script or {})}, **settings
    )


async def test_two_ends_of_a_link_are_found_together(lilac: Callable[..., Any]) -> None:
    run = lilac(lilac=LilacSettings(beam=3), k=4)
    found = await run.ask(QUESTION)
    assert run.asked == ["fif_decompose", "answer"]  # one decision, and the reader
    assert found["stop_reason"] == "beam searched"
    assert [subquery["text"] for subquery in found["subqueries"]] == SUBQUERIES
    assert [(hop["step"], hop["strategy"]["scope"], hop["strategy"]["granularity"]) for hop in found["hops"]] == [
        (0, "global", "subcomponent"),
        (1, "local", "subcomponent"),
    ]
    assert set(found["usage"]) == {"decompose@0", "seed@0", "expand@1", "answer@0"}
    scores = [scored["score"] for scored in found["ranking"]]
    assert scores == sorted(scores, reverse=True)
    assert {"triton#1", "voyager#0"} <= {scored["id"] for scored in found["ranking"]}
    assert set(found["evidence"]) >= {scored["id"] for scored in found["ranking"]}


async def test_evidence_says_which_link_led_there(lilac: Callable[..., Any]) -> None:
    found = await lilac(lilac=LilacSettings(beam=30)).ask(QUESTION)
    linked = {key: one["parent"] for key, one in found["evidence"].items() if one.get("linked")}
    assert linked  # triton's first paragraph holds the only link, to the page about Voyager
    assert {(key.partition("#")[0], parent) for key, parent in linked.items()} == {("voyager", "triton#0")}


async def test_each_iteration_is_a_step(lilac: Callable[..., Any]) -> None:
    found = await lilac(lilac=LilacSettings(beam=2, iterations=3)).ask(QUESTION)
    assert [hop["step"] for hop in found["hops"]] == [0, 1, 2, 3]


async def test_a_reached_ceiling_leaves_the_seeds_to_be_read(lilac: Callable[..., Any]) -> None:
    found = await lilac(budget=Budget(steps=1)).ask(QUESTION)
    assert found["stop_reason"] == "budget:steps"
    assert [hop["step"] for hop in found["hops"]] == [0]
    assert found["ranking"]
    assert not found["answer"]["abstained"]


async def test_a_failed_decomposition_is_recorded_and_the_question_stands_in(lilac: Callable[..., Any]) -> None:
    found = await lilac({"fif_decompose": lambda inputs: {"subqueries": []}}).ask(QUESTION)
    assert [failure["id"] for failure in found["failures"]] == ["decompose@0"]
    assert [subquery["text"] for subquery in found["subqueries"]] == [QUESTION]
    assert found["answer"]["text"]


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
    assert best_links(edges) == {"b1": Pair("a1", "b1", True, 2), "c1": Pair("b1", "c1", True, None)}


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
