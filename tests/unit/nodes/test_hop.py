"""One hop, stage by stage, over a stored corpus."""

from __future__ import annotations

from typing import Any

from fixtures.hops import documents_of, route, walked

from backtrail.nodes.fif.evaluate import evaluate
from backtrail.tools.toolbox import Toolbox


def test_a_local_hop_reaches_what_the_anchors_link_to(toolbox: Toolbox, runtime: Any) -> None:
    for year, expected in (("1980", "reich"), ("1909", "urania"), ("1962", "malone")):
        hop = walked(toolbox, runtime(), route(f"who designed the bridge opened in {year}", ["bridges"]))
        assert {scored["id"] for scored in hop["documents"]} == {"reich", "urania", "malone"}
        assert hop["documents"][0]["id"] == expected
        assert hop["parents"][expected]["parent"] == "bridges#t"


def test_to_the_letter_neighbours_are_ranked_by_vectors_alone(toolbox: Any, corpus: Any, runtime: Any) -> None:
    planned = route("who designed the bridge opened in 1962", ["bridges"])
    found = documents_of(toolbox, runtime(variant="published", fif={"to_the_letter": True}), planned)
    query = corpus.embed([planned["subquery"]])[0]
    nearest = corpus.search_documents(query, "document", 9, ["reich", "urania", "malone"])
    assert [one["id"] for one in found["documents"]] == [one["id"] for one in nearest]
    assert found["parents"]["malone"]["row"] == 2
    ours = documents_of(toolbox, runtime(fif={"to_the_letter": True}), planned)
    assert ours["documents"][0]["id"] == "malone", "the setting is of the variant published alone"


def test_a_global_hop_keeps_as_many_documents_and_components_as_set(toolbox: Toolbox, runtime: Any) -> None:
    few = runtime(fif={"documents_per_hop": 2, "components_per_hop": 1})
    hop = walked(toolbox, few, route("bridges of Vienna"))
    assert (len(hop["documents"]), len(hop["components"])) == (2, 1)


def test_a_shortlist_for_reasoning_takes_in_what_only_words_find(toolbox: Toolbox, runtime: Any) -> None:
    short = runtime(fif={"documents_per_hop": 1, "shortlist": 3})
    found = documents_of(toolbox, short, route("Hackhofer", reasoning="both", granularity="component"))
    assert "urania" in [scored["id"] for scored in found["documents"]]


async def test_the_evaluator_writes_the_record_the_evidence_and_the_tentative_answers(toolbox, runtime: Any) -> None:
    question = "Who designed the bridge opened in 1909?"
    hop = walked(toolbox, runtime(), route(question, ["bridges"]))
    subquery = {
        "id": "q0", "text": question, "depends_on": [], "status": "open",
        "answer": "", "answered_by": None, "planned_at": 0,
    }  # fmt: skip
    state: Any = {"question": question, "subqueries": [subquery], "hop": hop, "evidence": {}, "usage": {}}
    writes: Any = await evaluate(toolbox)(state, runtime())
    (record,) = writes["hops"]
    assert (record["step"], record["outcome"]) == (1, "success")
    assert [one["status"] for one in writes["subqueries"]] == ["answered"]
    assert record["resolved"] == ["q0"]
    evidence = writes["evidence"]["urania#p0"]
    assert (evidence["parent"], evidence["parent_row"], evidence["hop"]) == ("bridges#t", 1, 1)
    assert writes["hop"] is None


async def test_a_hop_that_found_nothing_is_a_recorded_failure(toolbox: Toolbox, runtime: Any) -> None:
    hop = walked(toolbox, runtime(), route("anything", ["lamps"]))
    state: Any = {"question": "anything", "subqueries": [], "hop": hop, "evidence": {}, "usage": {}}
    writes: Any = await evaluate(toolbox)(state, runtime())
    (record,) = writes["hops"]
    assert (record["outcome"], record["reason"]) == ("failure", "The hop found nothing.")
