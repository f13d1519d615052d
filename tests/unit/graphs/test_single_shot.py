from __future__ import annotations

import importlib
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from backtrail.language.terms import content_terms
from backtrail.nodes.walking.fuse import fuse
from backtrail.state.component import Component, Document
from backtrail.state.hop import Granularity, Scored
from backtrail.state.settings import Settings
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

TEXTS = {
    "io": "Io is the most volcanic body; Voyager 1 saw an eruption.",
    "mars": "Mars is red because of iron oxide.",
    "titan": "Huygens landed on Titan in January 2005.",
    "venus": "Venera 13 landed on Venus and sent a colour picture.",
}
NEAREST = ["titan", "venus", "mars", "io"]
METHODS = ["dense", "bm25", "hybrid"]


class Shelf:
    """Four one-paragraph documents. The embedder always thinks of Titan first; words count shared terms."""

    name, version = "shelf", "1"

    def language(self, text: str) -> str:
        return "en"

    def embed(self, texts: Sequence[str]) -> Any:
        return np.ones((len(texts), 2), np.float32)

    def search_components(self, query: Any, granularity: Granularity, limit: int) -> list[Scored]:
        assert granularity == "component"
        return [Scored(id=key, score=0.9 - 0.1 * rank) for rank, key in enumerate(NEAREST)][:limit]

    def search_lexical(self, query: str, layer: Granularity, limit: int) -> list[Scored]:
        assert layer == "component"
        shared = {key: len(content_terms(query) & content_terms(text)) for key, text in TEXTS.items()}
        best = sorted((key for key in shared if shared[key]), key=lambda key: (-shared[key], key))
        return [Scored(id=key, score=float(shared[key])) for key in best[:limit]]

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        return {
            key: Component(id=key, document=f"{key}.html", position=0, modality="text", text=TEXTS[key]) for key in ids
        }

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        return {key: Document(id=key, title=key.removesuffix(".html").title()) for key in ids}

    def rarity(self, terms: Collection[str]) -> dict[str, float]:
        return dict.fromkeys(terms, 1.0)

    def component_terms(self, ids: Collection[str]) -> dict[str, frozenset[str]]:
        return {key: content_terms(f"{key} {TEXTS[key]}") for key in ids}


def read_first(inputs: Any) -> dict[str, Any]:
    first = inputs.evidence[0]
    return {
        "answer": first.sentences[0],
        "citations": [{"component": first.id, "sentence": 0}],
        "supported": True,
        "confidence": 0.5,
    }


def toolbox() -> Toolbox:
    tools = Toolbox(open_corpus=lambda name: Shelf())  # type: ignore[arg-type,return-value]
    tools.rules = ScriptedDecider(
        {"answer": read_first, "contextualize": lambda inputs: {"question": f"{inputs.question} (Venus)"}}
    )
    return tools


def compiled(method: str, **options: Any) -> Any:
    return importlib.import_module(f"backtrail.graphs.{method}").build(toolbox()).compile(**options)


async def ask(method: str, question: str, **settings: Any) -> dict[str, Any]:
    return await compiled(method).ainvoke({"question": question}, context=Settings(**settings))


@pytest.mark.parametrize(
    ("method", "ranking"),
    [
        ("dense", ["titan", "venus", "mars", "io"]),
        ("bm25", ["venus", "titan"]),  # Mars and Io share no term
        ("hybrid", ["titan", "venus", "mars", "io"]),
    ],
)
async def test_each_ranks_in_its_own_way(method: str, ranking: list[str]) -> None:
    found = await ask(method, "Who landed on Venus?")
    assert [scored["id"] for scored in found["ranking"]] == ranking
    assert [scored["score"] for scored in found["ranking"]] == sorted(
        (scored["score"] for scored in found["ranking"]), reverse=True
    )


@pytest.mark.parametrize("method", METHODS)
async def test_a_run_gives_what_every_method_gives(method: str) -> None:
    found = await ask(method, "Who landed on Venus?", k=2)
    assert set(found) == {"messages", "question", "answer", "ranking", "evidence", "stop_reason", "usage", "failures"}
    assert found["stop_reason"] == "single-shot"
    assert len(found["ranking"]) == 2
    assert set(found["evidence"]) == {scored["id"] for scored in found["ranking"]}
    first = found["evidence"][found["ranking"][0]["id"]]
    assert first["title"] in ("Venus", "Titan")
    assert 0 < first["coverage"] <= 1
    assert found["usage"]["retrieve@0"]["seconds"]["vectors"] >= 0
    assert found["answer"]["citations"][0]["component"] == found["ranking"][0]["id"]
    assert found["messages"][-1].text.startswith(found["answer"]["text"])


async def test_nothing_found_is_an_abstention() -> None:
    found = await ask("bm25", "Quasars?")
    assert found["ranking"] == []
    assert found["answer"]["abstained"] is True


@pytest.mark.parametrize("method", METHODS)
async def test_the_next_question_of_a_thread_starts_from_an_empty_memory(method: str) -> None:
    graph = compiled(method, checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "t"}}
    await graph.ainvoke({"messages": [HumanMessage("Why is Mars red?")]}, thread, context=Settings(k=1))
    second = await graph.ainvoke({"messages": [HumanMessage("Who landed there?")]}, thread, context=Settings(k=1))
    assert second["question"] == "Who landed there? (Venus)"
    assert len(second["evidence"]) == len(second["ranking"]) == 1
    assert len(second["messages"]) == 4


def ranked(ids: Sequence[str]) -> list[Scored]:
    return [Scored(id=key, score=1.0) for key in ids]


def test_fusion_adds_reciprocal_ranks() -> None:
    fused = fuse([ranked(["a", "b"]), ranked(["b", "c"])], keep=3)
    assert [scored["id"] for scored in fused] == ["b", "a", "c"]
    assert fused[0]["score"] == pytest.approx(1 / 62 + 1 / 61)


LISTS = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), min_size=1, max_size=4)


@given(lists=LISTS, data=st.data())
def test_fusion_ignores_the_order_of_the_lists(lists: list[list[str]], data: st.DataObject) -> None:
    fused = fuse([ranked(one) for one in lists], 8)
    shuffled = fuse([ranked(one) for one in data.draw(st.permutations(lists))], 8)
    scores = {scored["id"]: scored["score"] for scored in fused}
    assert {scored["id"]: scored["score"] for scored in shuffled} == pytest.approx(scores)
    assert set(scores) == {key for one in lists for key in one}


@given(ids=st.lists(st.sampled_from("abcdefgh"), unique=True))
def test_fusing_a_list_with_itself_keeps_its_order(ids: list[str]) -> None:
    assert [scored["id"] for scored in fuse([ranked(ids), ranked(ids)], len(ids))] == ids
