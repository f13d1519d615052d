"""What HM-RAG pays where a model reads: parts in waves, one reading for each source, nobody asked for nothing."""

from collections import Counter
from typing import Any

import pytest
from fixtures.scripted_hm_rag import DESIGNED, QUESTION, SETTINGS, make_knowledge, named, scripted_toolbox
from fixtures.scripted_knowledge import ScriptedKnowledge
from langgraph.checkpoint.memory import InMemorySaver

from backtrail.graphs.hm_rag import build
from backtrail.nodes.hm_rag.dependency_order import filled
from backtrail.state.hm_rag.settings import HmRagSettings
from backtrail.state.settings import Budget
from backtrail.state.subquery import Subquery
from backtrail.tools.checkpoints.serializer import strict_serializer
from backtrail.tools.knowledge.errors import KnowledgeMissing

THREAD: Any = {"configurable": {"thread_id": "t"}}
OURS = SETTINGS.model_copy(update={"variant": "ours"})
CHAIN = "Which tower was completed when the designer of the Urania bridge retired?"
RETIRED = "When did {1} retire?"


async def ask(question: str = DESIGNED, *, base: Any = OURS, **scripted: Any) -> tuple[dict[str, Any], Any]:
    settings = base.model_copy(
        update={
            "hm_rag": HmRagSettings(**scripted.pop("hm_rag", {})),
            "budget": scripted.pop("budget", Budget()),
            "expert": scripted.pop("expert", base.expert),
        }
    )
    tools, decider = scripted_toolbox(**scripted)
    graph = build(tools).compile(checkpointer=InMemorySaver(serde=strict_serializer()))
    await graph.ainvoke({"question": question}, THREAD, context=settings)
    return (await graph.aget_state(THREAD)).values, decider.history


def counted(history: Any) -> Counter[str]:
    return Counter(asked.decision.removeprefix("hm_rag_") for asked in history)


async def test_those_who_say_the_same_are_not_merged() -> None:
    def read(inputs: Any) -> dict[str, Any]:
        cited = [{"component": inputs.evidence[0].id}]
        text = f"Josef Hackhofer. {inputs.evidence[0].id} says so."
        return {"short": "Josef Hackhofer", "text": text, "citations": cited, "supported": True, "confidence": 0.8}

    values, history = await ask(script={"hm_rag_read": read})
    assert counted(history) == {"plan": 1, "read": 2}
    assert (values["answer"]["short"], values["verdict"]["by"]) == ("Josef Hackhofer", "vote")
    web = next(one for one in values["positions"] if one["source"] == "web")
    assert (web["status"], "vector agent" in web["reason"]) == ("abstained", True)


async def test_two_parts_are_read_once_by_each_source() -> None:
    values, history = await ask(QUESTION)
    assert counted(history)["read"] == 2
    assert sum(counted(history).values()) <= 5
    assert {one["status"] for one in values["replies"]} == {"searched", "abstained"}
    union = next(asked.inputs for asked in history if asked.decision == "hm_rag_read")
    assert union.question == QUESTION
    assert {"urania#p0", "tower#p0"} <= {item.id for item in union.evidence}


async def test_a_chain_puts_earlier_answers_into_later_queries() -> None:
    def plan(inputs: Any) -> dict[str, Any]:
        parts = [
            {"question": DESIGNED, **named(DESIGNED)},
            {"question": RETIRED, "depends_on": []},
            {"question": "Which tower was completed in {2}?", "depends_on": [1]},
        ]
        return {"parts": parts, **named(CHAIN)}

    values, history = await ask(CHAIN, script={"hm_rag_plan": plan})
    assert [one["depends_on"] for one in values["subqueries"]] == [[], ["q0"], ["q0", "q1"]]
    assert values["subqueries"][0]["answer"].startswith("Josef Hackhofer")
    asked = {reply["subquery"]: reply["question"] for reply in values["replies"]}
    assert asked["q1"] == "When did Josef Hackhofer retire?"
    assert counted(history)["read"] == 2 + 2  # two parts that others wait for, then each source once
    assert sum(counted(history).values()) <= 10
    notes = [asked.inputs.known for asked in history if asked.decision == "hm_rag_read" and asked.inputs.known]
    assert DESIGNED in notes[-1][0]


async def test_a_budget_that_ends_between_waves_still_answers() -> None:
    def plan(inputs: Any) -> dict[str, Any]:
        return {"parts": [{"question": DESIGNED}, {"question": "When did the designer {1} of the bridge retire?"}]}

    values, _ = await ask(CHAIN, script={"hm_rag_plan": plan}, budget=Budget(steps=3))
    assert values["stop_reason"] == "budget:steps"
    assert values["answer"]["text"]
    assert {one["subquery"] for one in values["replies"]} == {"q0"}


async def test_without_a_graph_nobody_names_keywords_and_the_reader_reads_once() -> None:
    def missing() -> Any:
        raise KnowledgeMissing("tiny")

    values, history = await ask(knowledge=missing)
    assert counted(history) == {"plan": 1, "read": 1}
    assert history[0].inputs.has_graph is False
    assert values["vote"]["outcome"] == "alone"


async def test_keywords_are_asked_for_only_where_the_plan_named_none() -> None:
    _, history = await ask(hm_rag={"decomposition": False})
    assert counted(history)["keywords"] == 1
    assert not counted(history)["plan"]


@pytest.mark.parametrize(("same", "summaries"), [(True, 0), (False, 2)])
async def test_long_answers_are_summarised_only_where_they_differ(same: bool, summaries: int) -> None:
    long = "The bridge of the river in the old town was designed by nobody else than Josef Hackhofer himself"

    def read(inputs: Any) -> dict[str, Any]:
        other = len(inputs.evidence) < 3 and not same  # the graph's
        text = "Otto Wagner and six of his many pupils are said to have drawn it all by hand" if other else long
        cited = [{"component": inputs.evidence[0].id}]
        return {"short": text, "text": f"{text}.", "citations": cited, "supported": True, "confidence": 0.8}

    values, history = await ask(script={"hm_rag_read": read})
    assert counted(history)["summarise"] == summaries
    assert values["vote"]["outcome"] == "agreed"  # of the scripted summaries both say the same


def abstaining(inputs: Any) -> dict[str, Any]:
    return {"text": "It is not said.", "citations": [], "supported": False, "confidence": 0.0}


async def test_the_expert_does_not_read_again_what_it_read_alone() -> None:
    nothing: dict[str, Any] = {"script": {"hm_rag_read": abstaining}, "knowledge": lambda: ScriptedKnowledge({}, {})}
    values, history = await ask(**nothing)
    assert counted(history) == {"plan": 1, "read": 1}
    assert (values["answer"]["abstained"], values["answer"]["text"]) == (True, "It is not said.")
    _, history = await ask(**nothing, expert="another")
    assert counted(history)["refine"] == 1


async def test_where_nothing_was_found_the_expert_says_what_it_knows() -> None:
    own = {"short": "Josef Hackhofer", "text": "Josef Hackhofer designed it.", "known": True, "confidence": 0.6}
    nothing: dict[str, Any] = {"hm_rag": {"sources": "graph"}, "knowledge": lambda: ScriptedKnowledge({}, {})}
    values, history = await ask(script={"answer_alone": lambda inputs: own}, **nothing)
    assert [asked.decision for asked in history][-1] == "answer_alone"
    assert values["answer"]["text"] == "Josef Hackhofer designed it."
    assert (values["answer"]["citations"], values["stop_reason"]) == ([], "answered:expert")
    unknown = {"text": "I do not know.", "known": False, "confidence": 0.0}
    values, _ = await ask(script={"answer_alone": lambda inputs: unknown}, **nothing)
    assert values["answer"]["abstained"]


async def test_triplets_that_repeat_what_is_shown_beside_them_are_left_out() -> None:
    _, history = await ask(hm_rag={"sources": "graph"}, knowledge=make_knowledge)
    read = next(asked.inputs for asked in history if asked.decision == "hm_rag_read")
    shown = {item.id for item in read.evidence}
    texts = {item.id: " ".join(item.sentences) for item in read.evidence}
    assert "urania#p0" in shown
    assert not {"r-designed"} & shown or "Hackhofer" not in texts["urania#p0"]


def part(key: str, text: str, *needs: str, answer: str = "", status: Any = "open") -> Subquery:
    return {
        "id": key, "text": text, "depends_on": list(needs), "status": status, "answer": answer, "answered_by": None,
        "planned_at": 0,
    }  # fmt: skip


def test_answers_stand_in_their_places_and_what_was_not_found_stays_described() -> None:
    club = part("q0", "Which club won the cup?", answer="Orvane FC", status="answered")
    lost = part("q1", "Who built its ground?", "q0", status="given_up")
    assert filled(part("q2", "Where is {1}?", "q0"), [club, lost]) == "Where is Orvane FC?"
    assert filled(part("q2", "Where is the ground?", "q0"), [club, lost]) == (
        "Where is the ground? (Which club won the cup? Orvane FC)"
    )
    assert filled(part("q2", "Where did {2} live?", "q1"), [club, lost]) == (
        "Where did (the answer to: Who built its ground?) live?"
    )
    assert filled(part("q2", "What is {7}?"), [club]) == "What is {7}?"
