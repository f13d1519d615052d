"""The graph agent's subgraph: what matches, what lies next to it, in which order, and within which bounds."""

from typing import Any

import pytest
from fixtures.planning_corpus import GOOD_BLOB, open_planning_corpus
from fixtures.scripted_knowledge import ScriptedKnowledge, entity, relation

from backtrail.nodes.hm_rag.agents.subgraph import explore, token_count
from backtrail.state.hm_rag.memory import Retrieved
from backtrail.state.hm_rag.settings import HmRagSettings

KNOWLEDGE = ScriptedKnowledge(
    {
        "e-urania": entity("Urania bridge", "urania#p0", pictures=(GOOD_BLOB,)),
        "e-josef": entity("Josef Hackhofer", "urania#p0"),
        "e-vienna": entity("Vienna", "lamps#p0"),
        "e-lamps": entity("Street lamps", "lamps#p0"),
        "e-1909": entity("1909", "lamps#p0", kind="value"),
        "e-far": entity("Something else", "malone#p0"),
    },
    {
        "r-designed": relation("e-urania", "designed by", "e-josef", "urania#p0", says="designed"),
        "r-stands": relation("e-urania", "stands in", "e-vienna", "bridges#t", says="a place"),
        "r-put": relation("e-lamps", "put up", "e-1909", "lamps#p0", says="lamps of bridges"),
        "r-green": relation("e-lamps", "colour", "e-far", "malone#p0", says="green"),
        "r-1909": relation("e-far", "year", "e-1909", "malone#p0", says="nothing to do with it"),
    },
)


def found(low: list[str], high: list[str], knowledge: Any = KNOWLEDGE, **settings: Any) -> Retrieved:
    text = "Who designed the Urania bridge?"
    chosen = HmRagSettings(**{"relevance": 0.9, **settings})
    return explore(open_planning_corpus(), knowledge, text, {"low": low, "high": high}, chosen)


def ways(retrieved: Retrieved) -> list[tuple[str, str]]:
    return [(one["id"], one["by"]) for one in retrieved["triplets"]]


def test_low_level_keywords_match_entities_and_bring_their_relations() -> None:
    retrieved = found(["the urania bridges"], [])
    assert ways(retrieved) == [("r-designed", "local neighbour"), ("r-stands", "local neighbour")]
    assert retrieved["pictures"] == [{"entity": "Urania bridge", "blob": GOOD_BLOB}]
    assert retrieved["components"][0]["id"] == "urania#p0"


def test_high_level_keywords_match_relations_and_bring_those_of_their_ends() -> None:
    retrieved = found([], ["put up lamps of bridges"])
    # 1909 is a value: what else happened in that year is no neighbour.
    assert ways(retrieved) == [("r-put", "match"), ("r-green", "edge neighbour")]
    retrieved = found(["Urania bridge"], ["put up lamps of bridges"])
    assert [way for _, way in ways(retrieved)] == ["match", "local neighbour", "local neighbour", "edge neighbour"]


def test_what_is_less_similar_than_tau_is_no_match() -> None:
    assert found(["Xyzzy"], ["qwertz"])["triplets"] == []
    assert found(["Xyzzy"], ["qwertz"], relevance=-1.0)["triplets"]


def test_the_subgraph_keeps_within_its_tokens() -> None:
    names = {f"e{n}": entity(f"Bridge {n}", "urania#p0") for n in range(200)}
    many = {f"r{n}": relation("e-hub", "crosses", f"e{n}", "urania#p0", says="long " * 20) for n in range(200)}
    hub = ScriptedKnowledge({"e-hub": entity("Urania bridge", "urania#p0"), **names}, many)
    retrieved = found(["Urania bridge"], [], hub, subgraph_tokens=500)
    assert 0 < len(retrieved["triplets"]) <= 500 // 20
    assert len(found(["Urania bridge"], [], hub, subgraph_tokens=5000)["triplets"]) > len(retrieved["triplets"])


def test_components_that_are_gone_are_left_out() -> None:
    old = ScriptedKnowledge(
        {"e-urania": entity("Urania bridge", "gone#p0"), "e-x": entity("X")},
        {"r-1": relation("e-urania", "is", "e-x", "gone#p0")},
    )
    assert found(["Urania bridge"], [], old)["components"] == []


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("the Velm", 2), ("extraordinarily", 3), ("1884!", 3), ("維也納", 1)]
)
def test_tokens_are_counted_in_pieces(text: str, tokens: int) -> None:
    assert token_count(text) == tokens
