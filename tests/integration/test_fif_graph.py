"""FiF's machine with every decision scripted: which path it takes, and what it writes down."""

from collections.abc import Callable
from typing import Any

import pytest
from fixtures.scripted_fif import ACTIONS, ANSWER, LAST, QUESTION, REWORDED, ROUTES, SETTINGS, scripted_toolbox
from fixtures.state_after import state_after
from pydantic import TypeAdapter

from backtrail.graphs.fif import build
from backtrail.graphs.methods import METHODS
from backtrail.nodes.streaming.progress_events import CHARACTERS, RECORDS, progress
from backtrail.state.budget import exceeded
from backtrail.state.chat.progress import Progress
from backtrail.state.fif.settings import FifSettings
from backtrail.state.settings import Budget
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import DecisionFailed

pytestmark = pytest.mark.usefixtures("in_tiny_home")


async def ask(
    *actions: dict[str, Any], script: dict[str, Any] | None = None, budget: Budget | None = None, **switches: bool
) -> tuple[dict[str, Any], list[str]]:
    chosen: Callable[[Any], Any] = lambda inputs: actions[len(inputs.memory)]  # noqa: E731
    toolbox, decider = scripted_toolbox(script={**({"fif_orchestrate": chosen} if actions else {}), **(script or {})})
    settings = SETTINGS.model_copy(update={"fif": FifSettings(**switches), "budget": budget or Budget()})
    values = await state_after(build(toolbox), {"question": QUESTION}, settings)
    return values, [asked.decision for asked in decider.history]


def routes(values: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (
            hop["kind"],
            hop["subquery"],
            *((hop["strategy"] or {}).get(part) for part in ("scope", "granularity", "reasoning")),
            hop["outcome"],
        )
        for hop in values["hops"]
    ]


STOP = {"action": "stop", "why": "scripted"}


async def test_exact_hops_with_a_refused_route() -> None:
    values, asked = await ask()
    assert routes(values) == ROUTES
    assert [hop["step"] for hop in values["hops"]] == list(range(len(ROUTES)))
    assert values["answer"]["text"] == ANSWER
    assert values["stop_reason"] == "stop"
    assert [(q["id"], q["status"], q["answer"]) for q in values["subqueries"]] == [
        ("q0", "answered", "Voyager 2"),
        ("q1", "answered", ANSWER),
        ("q2", "given_up", ""),
    ]
    assert asked == [
        "fif_decompose",
        "fif_orchestrate", "fif_evaluate",
        "fif_orchestrate",
        "fif_orchestrate", "fif_select_documents", "fif_select_components", "fif_evaluate",
        "fif_orchestrate", "fif_plan",
        "fif_orchestrate", "fif_select_components", "fif_evaluate",
        "fif_orchestrate", "fif_rerank", "answer",
    ]  # fmt: skip
    assert len(values["usage"]) == len(asked) + 6  # and two searches for each of three hops
    refused, local = values["hops"][1], values["hops"][4]
    assert (refused["documents"], refused["components"]) == ([], [])
    assert "failed before" in refused["reason"]
    assert (local["anchor_step"], local["anchors"]) == (2, ["triton"])  # it follows the link from its anchor
    assert [scored["id"] for scored in local["documents"]] == ["voyager"]
    assert values["evidence"]["voyager#0"]["parent"] == "triton#0"
    [citation] = values["answer"]["citations"]
    assert (citation["title"], citation["locator"]) == ("About voyager", {"sentence": 0})
    assert citation["quote"] == "Voyager 2 was launched on 20 August 1977."


async def test_a_ceiling_ends_in_the_best_answer_so_far() -> None:
    values, asked = await ask(budget=Budget(steps=3))
    assert values["stop_reason"] == "budget:steps"
    assert [hop["kind"] for hop in values["hops"]] == ["traverse", "traverse", "traverse", "stop"]
    assert values["answer"]["text"]
    assert not values["answer"]["abstained"]
    assert asked.count("fif_orchestrate") == 3
    values, asked = await ask(budget=Budget(calls=3))
    assert values["stop_reason"] == "budget:calls"
    assert len(asked) == 3  # what is left to decide on the way out is decided by rules
    assert exceeded(values["usage"], 0, Budget(calls=4)) is None
    assert (await ask(budget=Budget(usd=0.0)))[0]["stop_reason"] == "stop"  # a free run costs no dollars


async def test_without_replanning_the_first_decomposition_stays() -> None:
    values, asked = await ask({**ACTIONS[0], "subtask": REWORDED}, STOP, planner=False)
    assert len(values["subqueries"]) > 1
    assert asked[0] == "fif_decompose"
    values, _ = await ask(ACTIONS[3], planner=False)  # which plans anew
    assert values["stop_reason"] == "failed:orchestrate"
    assert [failure["node"] for failure in values["failures"]] == ["orchestrate"]


async def test_without_reasoning_vectors_decide_alone() -> None:
    plain = {**ACTIONS[0], "subtask": REWORDED, "granularity": "component"}
    values, asked = await ask(plain, STOP, reasoning=False)
    assert routes(values)[0] == ("traverse", REWORDED, "global", "component", "none", "success")
    assert not {"fif_select_documents", "fif_select_components"} & set(asked)


async def test_without_global_hops_every_later_hop_is_local() -> None:
    first = {**ACTIONS[0], "subtask": REWORDED}
    second = {**ACTIONS[4], "anchor": 0, "component_mode": "vector search"}
    values, _ = await ask(first, second, STOP, global_hop=False)
    assert [route[2] for route in routes(values)] == ["global", "local", None]


async def test_without_granularity_each_stage_compares_at_its_own_layer() -> None:
    fine = {**ACTIONS[0], "subtask": REWORDED, "granularity": "subcomponent"}
    assert routes((await ask(fine, STOP))[0])[0][3] == "subcomponent"
    assert routes((await ask(fine, STOP, granularity=False))[0])[0][3] == "document"


async def test_without_backtracking_nothing_is_refused_and_the_last_hop_is_the_anchor() -> None:
    local = {**ACTIONS[4], "anchor": 0, "anchor_documents": [], "component_mode": "vector search"}
    second = {**ACTIONS[0], "subtask": REWORDED}
    with_, _ = await ask(ACTIONS[0], second, local, STOP)
    without, _ = await ask(ACTIONS[0], second, local, STOP, backtracking=False)
    assert (with_["hops"][2]["anchor_step"], without["hops"][2]["anchor_step"]) == (0, 1)
    again, _ = await ask(ACTIONS[0], ACTIONS[0], STOP, backtracking=False)
    assert [hop["outcome"] for hop in again["hops"]] == ["failure", "failure", "failure"]


async def test_an_unusable_judgement_fails_the_hop_and_the_run_goes_on() -> None:
    failed = DecisionFailed("fif_evaluate", "scripted", "no JSON", charge(calls=3, cost_usd=0.5))
    values, _ = await ask({**ACTIONS[0], "subtask": LAST}, STOP, script={"fif_evaluate": lambda inputs: failed})
    assert values["hops"][0]["outcome"] == "failure"
    assert values["failures"][0]["error"] == "DecisionFailed"
    assert values["usage"]["evaluate@0"]["calls"] == 3
    assert values["answer"]["text"]


# --- what a run tells while it works -----------------------------------------------------------------
VALUES = TypeAdapter(Progress)


async def events() -> list[Any]:
    graph = build(scripted_toolbox()[0]).compile(name="fif")
    return [one async for one in graph.astream({"question": QUESTION}, context=SETTINGS, stream_mode="custom")]


async def test_every_hop_is_told_with_what_came_of_it() -> None:
    values = [VALUES.validate_python(one, strict=True) for one in await events()]
    hops = [one for one in values if one["event"] == "found" or (one["event"] == "plan" and one["step"] >= 0)]
    done = [(kind, sought, outcome) for kind, sought, *_, outcome in ROUTES if kind != "stop"]
    assert [(one["sought"], one["outcome"]) for one in hops] == [(sought, outcome) for _, sought, outcome in done]
    sought = [one["sought"] for one in values if one["event"] == "seek"]
    carried_out = [text for kind, text, outcome in done if kind == "traverse" and outcome != "refused"]
    assert sought == carried_out, "what is sought is told once, before it is found"
    found = next(one for one in hops if one["outcome"] == "success")
    assert found["found"][0]["title"]
    assert found["found_count"] >= len(found["found"])
    assert (values[-1]["event"], values[-1]["outcome"]) == ("answer", "answered")
    assert ANSWER in values[-1]["judged"]
    calls = [one["cost"]["calls"] for one in values]
    assert calls == sorted(calls)


def test_every_record_that_a_method_shows_is_told() -> None:
    shown = {key for method in METHODS.values() for key in method.records}
    assert shown <= set(RECORDS)


def test_long_texts_are_cut_and_what_is_empty_tells_nothing() -> None:
    subquery = {"text": "word " * 1000, "status": "open", "answer": ""}
    [one] = progress("plan", {}, {"subqueries": [subquery]})
    assert len(one["sought"]) <= CHARACTERS
    assert list(progress("plan", {"subqueries": [subquery]}, {"subqueries": [subquery]})) == []
    assert list(progress("stop", {}, {"hop": None, "stop_reason": "stop", "vote": None, "subqueries": []})) == []
