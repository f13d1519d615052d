import importlib
from collections.abc import Sequence
from typing import Any

import pytest
from fixtures.ranked_corpus import RankedCorpus

from backtrail.nodes.graph_traversal.fuse_rankings import fuse
from backtrail.state.hop import Scored
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
"""The embedder always thinks of Titan first."""
METHODS = ["dense", "bm25", "hybrid"]


def read_first(inputs: Any) -> dict[str, Any]:
    first = inputs.evidence[0]
    cited = [{"component": first.id, "sentence": 0}]
    return {"answer": first.sentences[0], "citations": cited, "supported": True, "confidence": 0.5}


def toolbox() -> Toolbox:
    tools = Toolbox(open_corpus=lambda name: RankedCorpus(TEXTS, NEAREST))  # type: ignore[arg-type,return-value]
    tools.rules = ScriptedDecider({"answer": read_first})
    return tools


async def ask(method: str, question: str, **settings: Any) -> dict[str, Any]:
    graph = importlib.import_module(f"backtrail.graphs.{method}").build(toolbox()).compile()
    return await graph.ainvoke({"question": question}, context=Settings(**settings))


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
    scores = [scored["score"] for scored in found["ranking"]]
    assert scores == sorted(scores, reverse=True)


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


def ranked(ids: Sequence[str]) -> list[Scored]:
    return [Scored(id=key, score=1.0) for key in ids]


def test_fusion_adds_reciprocal_ranks() -> None:
    fused = fuse([ranked(["a", "b"]), ranked(["b", "c"])], keep=3)
    assert [scored["id"] for scored in fused] == ["b", "a", "c"]
    assert fused[0]["score"] == pytest.approx(1 / 62 + 1 / 61)
