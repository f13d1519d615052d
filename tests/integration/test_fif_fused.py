"""FiF ours with a model: rules open the search, then one scripted decision judges each hop and answers or goes on."""

import asyncio
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.scripted_fif import ANSWER, QUESTION, scripted_toolbox
from fixtures.state_after import state_after
from fixtures.tiny_corpora import write_bundle

from backtrail.graphs.fif import build
from backtrail.ingest.pipeline import ingest
from backtrail.prompts.render import render
from backtrail.state.fif.fused_decisions import ADVANCE, Advance, Neighbour
from backtrail.state.fif.settings import FifSettings
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import charge, total_usage
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

pytestmark = pytest.mark.usefixtures("in_tiny_home")

SETTINGS = Settings(corpus="tiny", planner="scripted", reader="scripted", fif=FifSettings(opening=1))
CITED = [{"component": "voyager#0", "sentence": 0}]
READING = {"short": ANSWER, "text": ANSWER, "citations": CITED, "supported": True, "confidence": 0.9}
NOTHING = {"text": "The launch is not stated.", "citations": [], "supported": False, "confidence": 0.0}
SEARCH = {"kind": "search", "subtask": "When was Voyager 2 launched?", "scope": "local", "targets": ["triton"]}
COMPLETE = {"success": True, "relevant": ["voyager#0"], "answer": READING, "why": "stated"}
ONWARD = {"success": False, "relevant": ["triton#1"], "action": SEARCH, "why": "the launch is missing"}


async def ask(*replies: Any, settings: Settings = SETTINGS) -> tuple[dict[str, Any], list[Any]]:
    toolbox, decider = scripted_toolbox(script={"fif_advance": list(replies)})
    return await state_after(build(toolbox), {"question": QUESTION}, settings), list(decider.history)


def decisions(asked: list[Any]) -> list[str]:
    return [one.decision for one in asked]


async def test_what_the_opening_settles_costs_one_call() -> None:
    values, asked = await ask(COMPLETE)
    assert decisions(asked) == ["fif_advance"]
    assert values["stop_reason"] == "answered"
    assert values["answer"]["text"] == ANSWER
    [citation] = values["answer"]["citations"]
    assert citation["quote"] == "Voyager 2 was launched on 20 August 1977."
    assert values["ranking"][0] == {"id": "voyager#0", "score": 1.0}
    assert {scored["id"] for scored in values["ranking"]} == set(values["evidence"])
    assert [(hop["kind"], hop.get("opening", False)) for hop in values["hops"]] == [("traverse", True), ("stop", False)]
    assert [(one["text"], one["status"], one["answer"]) for one in values["subqueries"]] == [
        (QUESTION, "answered", ANSWER)
    ]
    [first] = asked
    assert {component.document for component in first.inputs.evidence} >= {"triton", "voyager"}
    assert (first.inputs.memory, first.inputs.subqueries, first.inputs.hop.kind) == ([], [], "opening")
    assert first.inputs.steps_left == 9
    neighbour = Neighbour(id="saturn", title="Saturn", linked_from="triton")
    many = first.inputs.model_copy(update={"neighbours": [neighbour], "neighbours_left_out": 3})
    assert "and 3 more" in render("fif_advance", many).user


async def test_what_is_missing_is_searched_for_and_judged_in_the_same_decision() -> None:
    subquery = {"text": "Which spacecraft visited Triton?"}
    first = {**ONWARD, "new_subqueries": [subquery, {"text": "When was it launched?", "depends_on": ["q1"]}]}
    found = [
        {"subquery_id": "q1", "answer": "Voyager 2", "component": "triton#1"},
        {"subquery_id": "q2", "candidates": ["1977", "1997"], "unverified": ["the day"]},
    ]
    values, asked = await ask(first, {**COMPLETE, "findings": found})
    assert decisions(asked) == ["fif_advance", "fif_advance"]
    assert total_usage(values["usage"])["calls"] == 2
    hop = values["hops"][1]
    assert (hop["strategy"]["scope"], hop["anchors"], hop["outcome"]) == ("local", ["triton"], "success")
    assert {"voyager#0", "triton#1"} <= {one["id"] for one in hop["components"]}, "it covers its own document"
    assert values["evidence"]["voyager#0"]["parent"] == "triton#0"
    seen = asked[1].inputs
    assert seen.evidence[0].id == "triton#1"  # marked before, so it comes first
    assert [(one.id, one.depends_on) for one in seen.subqueries] == [("q1", []), ("q2", ["q1"])]
    by_id = {one["id"]: one for one in values["subqueries"]}
    assert (by_id["q1"]["status"], by_id["q1"]["answer"], by_id["q1"]["answered_by"]) == (
        "answered", "Voyager 2", "triton#1",
    )  # fmt: skip
    assert (by_id["q2"]["candidates"], by_id["q2"]["unverified"]) == (["1977", "1997"], ["the day"])


async def test_the_second_decision_is_told_what_the_first_made_of_the_opening() -> None:
    far = {"kind": "search", "subtask": "When was Voyager 2 launched?", "scope": "global"}
    _, asked = await ask({**ONWARD, "action": far}, {**ONWARD, "action": SEARCH, "why": "not there"}, COMPLETE,
                         settings=SETTINGS.model_copy(update={"fif": FifSettings(opening=2)}))  # fmt: skip
    [opening] = asked[1].inputs.memory
    assert (opening.kind, opening.outcome, opening.reason) == ("opening", "failure", "the launch is missing")
    assert opening.relevant == ["triton#1"]
    # The opening is one step, however many searches it took, and those that follow are counted from it.
    assert [(one.step, one.kind) for one in asked[2].inputs.memory] == [(0, "opening"), (1, "search")]
    assert [one.inputs.hop.step for one in asked] == [0, 1, 2]
    assert asked[2].inputs.memory[0].reason == opening.reason  # a later judgement is not one of the opening


async def test_an_answer_with_unverified_constraints_goes_on_and_stands_if_nothing_better_comes() -> None:
    draft = {**COMPLETE, "unverified": ["that it visited Triton"], "action": SEARCH}
    values, asked = await ask(draft, {"success": False, "answer": None, "action": SEARCH, "why": "no"}, draft,
                              settings=SETTINGS.model_copy(update={"budget": Budget(steps=3)}))  # fmt: skip
    assert asked[1].inputs.draft.unverified == ["that it visited Triton"]
    assert asked[2].inputs.steps_left == 0
    assert values["stop_reason"] == "budget:steps"
    assert values["answer"]["text"] == ANSWER
    assert values["hops"][-1]["outcome"] == "failure"  # the question was not settled


async def test_an_unusable_decision_leaves_the_reading_to_the_reader() -> None:
    failed = DecisionFailed("fif_advance", "scripted", "no JSON", charge(calls=3))
    values, asked = await ask(failed)
    assert decisions(asked) == ["fif_advance", "answer"]
    assert values["stop_reason"] == "failed:advance"
    assert values["answer"]["text"] == ANSWER


@pytest.mark.parametrize("knowledge", ["evidence", "both"])
async def test_an_abstention_of_who_was_told_what_counts_is_the_last_word(knowledge: Any) -> None:
    values, asked = await ask({"success": False, "answer": NOTHING, "why": "not in sight"},
                              settings=SETTINGS.model_copy(update={"knowledge": knowledge}))  # fmt: skip
    assert decisions(asked) == ["fif_advance"]
    assert asked[0].inputs.own_knowledge == (knowledge == "both")
    assert values["answer"]["abstained"]
    assert values["stop_reason"] == "nothing more to search"


async def test_own_knowledge_answers_in_the_fused_decision_marked_and_uncited() -> None:
    own = {"short": "1977", "text": "In 1977.", "citations": [], "grounds": "own", "supported": True, "confidence": 0.6}
    values, asked = await ask({"success": False, "answer": own, "why": "from memory"},
                              settings=SETTINGS.model_copy(update={"knowledge": "both"}))  # fmt: skip
    assert decisions(asked) == ["fif_advance"]
    assert (values["answer"]["grounds"], values["answer"]["citations"]) == ("own", [])
    problems = ADVANCE.check(
        asked[0].inputs.model_copy(update={"own_knowledge": False}), Advance(**{**COMPLETE, "answer": own})
    )
    assert "Own knowledge does not count here" in " ".join(problems)


async def test_a_reader_of_its_own_reads_what_was_ranked() -> None:
    values, asked = await ask(COMPLETE, settings=SETTINGS.model_copy(update={"reader": "another"}))
    assert decisions(asked) == ["fif_advance", "answer"]
    assert asked[1].inputs.evidence[0].id == "voyager#0"
    assert values["answer"]["text"] == ANSWER


async def test_a_ceiling_of_calls_ends_in_the_draft() -> None:
    draft = {**COMPLETE, "unverified": ["the day"], "action": SEARCH}
    values, asked = await ask(draft, settings=SETTINGS.model_copy(update={"budget": Budget(calls=1)}))
    assert decisions(asked) == ["fif_advance"]
    assert values["stop_reason"] == "budget:calls"
    assert (values["answer"]["text"], values["answer"]["abstained"]) == (ANSWER, False)
    assert values["hops"][1]["reason"] == "A ceiling was reached before it was judged."


async def test_without_a_model_rules_walk_to_the_end_and_nobody_is_asked() -> None:
    offline = Settings(corpus="tiny")
    values, asked = await ask(settings=offline)
    assert asked == []
    assert not values.get("fused")
    assert not any(hop.get("opening") for hop in values["hops"])


# --- documents that a question names -----------------------------------------------------------------
OPENED = Settings(corpus="tiny", planner="scripted", reader="scripted")
LOUD = [f"Acme revenue, the revenue of Acme by region {number}, was discussed." for number in range(20)]
DOCUMENTS = {
    **{f"acme-{year}": [f"In the year sales came to {year} dollars.", "Nothing else."] for year in (2019, 2020, 2021)},
    "handbook": LOUD,
}
NAMING = "What was the revenue of Acme from 2019 to 2021?"


@pytest.fixture
def seen(tmp_path, monkeypatch):
    """Ask over the corpus; returns what the first two decisions were shown."""
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    bundle = write_bundle(tmp_path / "b", DOCUMENTS)
    assert not ingest([bundle], "tiny", embedder="hashed", opened=HashedEmbedder()).failed
    corpus = open_corpus("tiny", embedder=HashedEmbedder())

    def ask(question: str) -> list[Any]:
        shown: list[Any] = []

        def search_once_more(inputs: Any) -> dict[str, Any]:
            shown.append(inputs)
            search = {"kind": "search", "subtask": "Acme sales in 2020", "scope": "global"} if len(shown) == 1 else None
            marked = [one.id for one in inputs.evidence if one.document == "acme-2019"][:1]
            reading = {"short": "", "text": "Missing.", "citations": [], "supported": False, "confidence": 0.0}
            return {"success": False, "relevant": marked, "action": search, "answer": reading, "why": "scripted"}

        decider = ScriptedDecider({"fif_advance": search_once_more})
        toolbox = Toolbox(open_corpus=lambda name: corpus, open_decider=lambda model, settings: decider)
        asyncio.run(build(toolbox).compile().ainvoke({"question": question}, context=OPENED))
        return shown

    return ask


def test_each_named_document_is_shown_and_tracked(seen):
    first, second = seen(NAMING)
    assert {f"acme-{year}" for year in (2019, 2020, 2021)} <= {one.document for one in first.evidence}
    assert any(one.document == "handbook" for one in first.evidence)
    for inputs in (first, second):
        homes = [one.document for one in inputs.evidence]
        assert [(one.document, one.in_sight) for one in inputs.named_documents] == [
            (f"acme-{year}", homes.count(f"acme-{year}")) for year in (2019, 2020, 2021)
        ]
    assert any(one.document == "acme-2020" for one in second.evidence)


def test_one_named_document_or_none_is_not_listed(seen):
    assert not any(inputs.named_documents for inputs in seen("What was the revenue of Acme in 2020?"))
    assert not any(inputs.named_documents for inputs in seen("Who discussed the revenue by region?"))
