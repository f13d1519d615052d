"""HM-RAG's machine with every decision scripted: who is asked what, what comes of it, and what goes wrong."""

from collections import Counter
from typing import Any

import pytest
from fixtures.planning_corpus import GOOD_BLOB
from fixtures.scripted_hm_rag import ANSWER, AT_LENGTH, COMPLETED, DESIGNED, QUESTION, SETTINGS, scripted_toolbox
from fixtures.scripted_knowledge import ScriptedKnowledge
from langgraph.checkpoint.memory import InMemorySaver

from backtrail.graphs.hm_rag import build
from backtrail.state.hm_rag.settings import HmRagSettings
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import charge
from backtrail.tools.checkpoints.serializer import strict_serializer
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.errors import SettingsError
from backtrail.tools.knowledge.errors import KnowledgeMissing
from backtrail.tools.web.errors import SearchUnavailable

THREAD: Any = {"configurable": {"thread_id": "t"}}


async def ask(
    question: str = QUESTION,
    *,
    script: dict[str, Any] | None = None,
    budget: Budget | None = None,
    base: Settings = SETTINGS,
    image: str | None = None,
    toolbox: dict[str, Any] | None = None,
    **settings: Any,
) -> tuple[dict[str, Any], list[str]]:
    tools, decider = scripted_toolbox(script=script, **(toolbox or {}))
    graph = build(tools).compile(checkpointer=InMemorySaver(serde=strict_serializer()))
    chosen = base.model_copy(update={"hm_rag": HmRagSettings(**settings), "budget": budget or base.budget})
    await graph.ainvoke({"question": question, "image": image}, THREAD, context=chosen)
    return (await graph.aget_state(THREAD)).values, [asked.decision for asked in decider.history]


def said(values: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {one["source"]: (one["status"], one["text"] or one["reason"]) for one in values["positions"]}


def first_cited(inputs: Any, answer: str) -> dict[str, Any]:
    cited = [{"component": inputs.evidence[0].id}]
    return {"answer": answer, "citations": cited, "supported": True, "confidence": 0.5}


async def test_a_question_with_two_intents_from_end_to_end() -> None:
    values, asked = await ask()
    assert [one["text"] for one in values["subqueries"]] == [DESIGNED, COMPLETED]
    assert {one["id"]: (one["status"], one["text"]) for one in values["replies"]} == {
        "graph:q0": ("answered", AT_LENGTH),
        "graph:q1": ("answered", "1931"),
        "vector:q0": ("answered", "Josef Hackhofer"), "vector:q1": ("answered", "1931"),
        "web:q0": ("answered", "Otto Wagner"), "web:q1": ("answered", "1947"),
    }  # fmt: skip
    assert values["vote"]["winners"] == ["vector", "graph"]
    assert values["verdict"]["by"] == "merge"
    assert values["answer"]["text"] == ANSWER
    assert values["stop_reason"] == "answered:merge"
    assert Counter(asked) == {
        "hm_rag_judge": 1, "hm_rag_split": 1, "hm_rag_keywords": 2, "hm_rag_read": 6 + 3, "hm_rag_summarise": 1,
        "hm_rag_merge": 1,
    }  # fmt: skip
    assert values["usage"]["graph.read@1"]["calls"] == 1
    assert sum(one["calls"] for one in values["usage"].values()) == len(asked)


async def test_a_triplet_is_cited_with_its_relation_its_component_and_its_picture() -> None:
    values, _ = await ask(DESIGNED, sources="graph")
    [citation] = values["answer"]["citations"]
    assert citation["component"] == "urania#p0"
    assert citation["locator"] == {"relation": "r-designed", "blob": GOOD_BLOB}
    assert citation["quote"].startswith("Urania bridge – designed by – Josef Hackhofer.")
    [reply] = values["replies"]
    assert reply["retrieved"]["pictures"] == [{"entity": "Urania bridge", "blob": GOOD_BLOB}]
    assert reply["retrieved"]["queries"] == ["Urania bridge", "designed by"]


async def test_a_page_is_cited_with_its_address() -> None:
    values, _ = await ask(DESIGNED, sources="web")
    [citation] = values["answer"]["citations"]
    assert citation["component"].startswith("web:")
    assert citation["locator"] == {"sentence": 0, "url": "https://example.org/bridges"}
    assert [one["id"] for one in values["ranking"]] == [citation["component"]]
    assert values["evidence"][citation["component"]]["query"] == DESIGNED


def missing() -> Any:
    raise KnowledgeMissing("tiny")


@pytest.mark.parametrize(
    ("toolbox", "source", "status", "reason", "failures"),
    [
        ({"knowledge": lambda: ScriptedKnowledge({}, {})}, "graph", "abstained", "The knowledge graph is empty.", []),
        ({"knowledge": missing}, "graph", "failed", "--knowledge-graph", ["KnowledgeMissing"]),
        ({"pages": {"*": SearchUnavailable("no quota")}}, "web", "failed", "no quota", ["SearchUnavailable"]),
        ({"pages": {}}, "web", "abstained", "The search found nothing.", []),
    ],
)
async def test_a_source_without_an_answer_says_why(toolbox: Any, source, status, reason, failures) -> None:
    values, asked = await ask(DESIGNED, toolbox=toolbox)
    assert said(values)[source][0] == status
    assert reason in values["vote"]["excluded"][source]
    assert [one["error"] for one in values["failures"]] == failures
    assert asked.count("hm_rag_read") == 2  # nothing to read, so nobody is paid to read it
    assert values["answer"]["abstained"] is False


@pytest.mark.parametrize(
    "questions", [[QUESTION, DESIGNED], [DESIGNED], ["What else is there?", "And then?"], [DESIGNED, DESIGNED]]
)
async def test_sub_questions_that_repeat_the_question_or_lose_it_are_refused(questions: list[str]) -> None:
    values, _ = await ask(script={"hm_rag_split": lambda inputs: {"questions": questions}})
    assert values["subqueries"] == []
    assert [one["node"] for one in values["failures"]] == ["divide"]
    assert {one["subquery"] for one in values["replies"]} == {"whole"}


async def disagreeing(read: Any, **toolbox: Any) -> tuple[dict[str, Any], Any]:
    """The end of a run whose agents read so, and what the expert is asked, who answers as the graph does."""
    seen: list[Any] = []

    def refine(inputs: Any) -> dict[str, Any]:
        seen.append(inputs)
        return first_cited(inputs, "Velm")

    values, _ = await ask(DESIGNED, script={"hm_rag_read": read, "hm_rag_refine": refine}, toolbox=toolbox)
    [inputs] = seen
    return values, inputs


async def test_three_that_disagree_are_put_before_the_expert_with_everything() -> None:
    answers = {"vector": "Ondra", "graph": "Velm", "web": "Mirne"}

    def read(inputs: Any) -> dict[str, Any]:
        first = inputs.evidence[0].id
        source = "web" if first.startswith("web:") else "graph" if first.startswith("r-") else "vector"
        return first_cited(inputs, answers[source])

    values, inputs = await disagreeing(read)
    assert values["vote"]["outcome"] == "disagreed"
    assert (values["answer"]["text"], values["stop_reason"]) == ("Velm", "answered:expert")
    assert {one.source: one.text for one in inputs.answers} == answers
    assert all(one.citations for one in inputs.answers)
    retrieved = [reply["retrieved"] for reply in values["replies"]]
    found = {one["id"] for held in retrieved for part in ("components", "triplets") for one in held[part]}
    assert {text.id for text in inputs.evidence} == found


async def test_the_expert_is_not_told_what_the_error_of_a_source_said() -> None:
    def missing() -> Any:
        raise KnowledgeMissing("tiny", "/srv/documents")

    _, inputs = await disagreeing(lambda asked: first_cited(asked, f"as {asked.evidence[0].id}"), knowledge=missing)
    [graph] = [one for one in inputs.answers if one.source == "graph"]
    assert (graph.status, graph.text) == ("failed", "This source could not be asked.")


async def test_an_expert_without_a_valid_answer_abstains_and_nothing_is_picked_by_chance() -> None:
    failed = DecisionFailed("hm_rag_refine", "scripted", "no JSON", charge(calls=3))
    values, _ = await ask(DESIGNED, threshold=1.0, script={"hm_rag_refine": lambda inputs: failed})
    assert values["answer"]["abstained"] is True
    assert "vector: Josef Hackhofer" in values["answer"]["text"]
    assert values["usage"]["refine@0"]["calls"] == 3
    assert values["stop_reason"] == "abstained:expert"


FAILED = DecisionFailed("hm_rag_read", "scripted", "no JSON", charge(calls=1))


@pytest.mark.parametrize("reply", [lambda _: FAILED, lambda inputs: {**first_cited(inputs, "Z"), "option": "Z"}])
async def test_an_agent_without_a_valid_answer_has_failed(reply: Any) -> None:
    asked = f"{DESIGNED} (A) Otto Wagner (B) Josef Hackhofer"
    values, _ = await ask(asked, sources="vector", script={"hm_rag_read": reply})
    assert said(values)["vector"][0] == "failed"
    assert values["usage"]["vector.read@0"]["calls"] == 1


async def test_options_reach_the_agents_and_the_answer_names_one() -> None:
    def read(inputs: Any) -> dict[str, Any]:
        label = next(one.label for one in inputs.options if one.text == "Josef Hackhofer")
        return {**first_cited(inputs, "Josef Hackhofer"), "option": label}

    options = "1. Otto Wagner 2. Josef Hackhofer"
    values, _ = await ask(f"{DESIGNED} {options}", script={"hm_rag_read": read}, toolbox={"pages": {"*": ["A page"]}})
    assert values["full_question"] == DESIGNED
    assert {one["option"] for one in values["positions"]} == {"2"}
    assert values["answer"]["text"] == "(2) Josef Hackhofer"
    assert values["verdict"]["by"] == "vote"  # one option: nothing to merge


async def test_an_unknown_source_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"'wiki'.*vector, graph, web"):
        await ask(sources="vector,wiki")


async def test_without_decision_agent_the_first_source_answers_and_nothing_is_summarised() -> None:
    values, asked = await ask(DESIGNED, decision_agent=False, sources="graph,vector")
    assert values["answer"]["text"].startswith("Josef Hackhofer designed it. The graph says so")
    assert values["stop_reason"] == "answered:first source"
    assert not {"hm_rag_summarise", "hm_rag_merge", "hm_rag_refine"} & set(asked)


async def test_a_limit_of_steps_cuts_the_tasks() -> None:
    values, _ = await ask(budget=Budget(steps=3))
    assert len(values["replies"]) == 3
    assert values["stop_reason"] == "budget:steps"
    assert values["answer"]["text"]


async def test_the_questions_picture_goes_to_those_who_can_see(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backtrail.nodes.contextualize.check_stored", lambda sha256, owner: None)
    seen: dict[str, set[str]] = {}
    tools, decider = scripted_toolbox()
    tools.question_picture = lambda blob: b"\x89PNG"  # type: ignore[method-assign]
    await build(tools).compile().ainvoke({"question": DESIGNED, "image": GOOD_BLOB}, context=SETTINGS)
    for one in decider.history:
        seen.setdefault(one.decision, set()).update(one.pictures)
    assert "Picture of the question" in seen["hm_rag_judge"]
    assert {"Picture of the question", "Picture of Urania bridge"} <= seen["hm_rag_read"]


async def test_a_question_is_completed_by_its_picture_where_that_is_asked_for(monkeypatch: Any) -> None:
    monkeypatch.setattr("backtrail.nodes.contextualize.check_stored", lambda sha256, owner: None)
    completed = "Who designed the Urania bridge?"
    tools, decider = scripted_toolbox(script={"hm_rag_complete": lambda inputs: {"question": completed}})
    tools.question_picture = lambda blob: b"\x89PNG"  # type: ignore[method-assign]
    on = SETTINGS.model_copy(update={"hm_rag": SETTINGS.hm_rag.model_copy(update={"complete_question": True})})
    asked: Any = {"question": "Who designed this bridge?", "image": GOOD_BLOB}
    state = await build(tools).compile().ainvoke(asked, context=on, output_keys=["full_question", "question"])
    assert (state["full_question"], state["question"]) == (completed, "Who designed this bridge?")
    taken = [one.decision for one in decider.history]
    assert taken[:2] == ["hm_rag_judge", "hm_rag_complete"]
    assert "Picture of the question" in decider.history[1].pictures
    off, others = scripted_toolbox()
    off.question_picture = tools.question_picture  # type: ignore[method-assign]
    await build(off).compile().ainvoke(asked, context=SETTINGS)
    await build(off).compile().ainvoke({"question": "Who designed this bridge?"}, context=on)
    assert "hm_rag_complete" not in {one.decision for one in others.history}
