"""A name without a link: the hop that looks it up reads the mention like one."""

from typing import Any

from fixtures.hops import documents_of, route, walked

from backtrail.nodes.fif.evaluate import evaluate
from backtrail.nodes.fif.memory_views import hop_views
from backtrail.nodes.graph_traversal.memory_edges import memory_edges
from backtrail.nodes.graph_traversal.mentions import pursued
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

QUESTION = "What did the engineer of the lamps that shine in the harbour write?"


def _pursuing(name: str, anchors: list[str], scope: str = "global") -> Any:
    return route(f"{QUESTION} {name}".strip(), anchors, step=3, scope=scope, granularity="component")


VIENNA = _pursuing("Vienna", ["lamps"])


def test_only_a_global_hop_from_an_anchor_pursues_names() -> None:
    assert pursued(VIENNA, QUESTION) == ["Vienna"]
    assert pursued(_pursuing("Vienna", ["lamps"], scope="local"), QUESTION) == []
    assert pursued(_pursuing("Vienna", []), QUESTION) == []
    assert pursued(_pursuing("", ["lamps"]), QUESTION) == []


def test_documents_that_say_the_name_are_found_with_the_mention(toolbox: Toolbox, runtime: Any) -> None:
    hop = documents_of(toolbox, runtime(), VIENNA, QUESTION)
    assert [scored["id"] for scored in hop["documents"]] == ["bridges"]  # "Bridges of Vienna", and no other
    assert hop["parents"] == {"bridges": {"parent": "lamps#p0", "row": None, "anchor": "Vienna", "mention": True}}


def test_as_published_all_documents_are_searched_and_no_mention_is_followed(toolbox: Toolbox, runtime: Any) -> None:
    hop = documents_of(toolbox, runtime(variant="published"), VIENNA, QUESTION)
    assert len(hop["documents"]) > 1
    assert hop["parents"] == {}


def test_a_name_in_a_table_is_read_with_its_row(toolbox: Toolbox, runtime: Any) -> None:
    hop = documents_of(toolbox, runtime(), _pursuing("Urania bridge", ["bridges"]), QUESTION)
    assert hop["parents"]["urania"] == {"parent": "bridges#t", "row": 1, "anchor": "Urania", "mention": True}


def test_a_name_that_nothing_else_says_is_searched_for_plainly(toolbox: Toolbox, runtime: Any) -> None:
    zaphod = _pursuing("Zaphod", ["lamps"])
    assert pursued(zaphod, QUESTION) == ["Zaphod"]
    hop = documents_of(toolbox, runtime(), zaphod, QUESTION)
    assert hop["documents"]
    assert hop["parents"] == {}


async def test_evidence_says_that_no_link_led_there_and_its_mention_counts(toolbox: Toolbox, runtime: Any) -> None:
    hop = walked(toolbox, runtime(), VIENNA, QUESTION)
    state: Any = {"question": QUESTION, "subqueries": [], "hop": hop, "evidence": {}, "usage": {}}
    writes: Any = await evaluate(toolbox)(state, runtime())
    evidence = writes["evidence"]
    assert (evidence["bridges#t"]["parent"], evidence["bridges#t"]["linked"]) == ("lamps#p0", False)
    corpus = toolbox.corpus(Settings())
    held = corpus.components(["lamps#p0", "bridges#t"])
    edges = memory_edges(corpus, held, {**evidence, "lamps#p0": evidence["bridges#t"] | {"parent": None}})
    assert ("lamps#p0", {"parent": "lamps#p0", "row": None, "anchor": "", "mention": True}, "bridges#t") in edges


def test_the_history_names_what_its_components_say_beyond_the_question(toolbox: Toolbox) -> None:
    corpus = toolbox.corpus(Settings())
    hop = route(QUESTION) | {"components": [{"id": "urania#p0", "score": 0.5}, {"id": "lamps#p0", "score": 0.4}]}
    shown = {"title": "", "modality": "text", "snippet": "", "coverage": 0.5}
    evidence: Any = {key: {**shown, "document": key.partition("#")[0]} for key in ("urania#p0", "lamps#p0")}
    (view,) = hop_views([hop], evidence, corpus, "Which lamps?")
    # "Josef Hackhofer" stands in one component alone, which is this one.
    assert {found.id: found.names for found in view.found} == {"urania#p0": [], "lamps#p0": ["Vienna"]}
    (asked,) = hop_views([hop], evidence, corpus, "Which lamps of Vienna?")
    assert {found.id: found.names for found in asked.found} == {"urania#p0": [], "lamps#p0": []}
