"""LILaC's machine: seeds, iterations, what it writes down, and where it stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backtrail.state.fif.settings import FifSettings
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


async def test_the_switch_of_fif_does_not_reach_it(lilac: Callable[..., Any]) -> None:
    run = lilac(fif=FifSettings(planner=False))
    found = await run.ask(QUESTION)
    assert run.asked[0] == "fif_decompose"
    assert len(found["subqueries"]) == 2


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


async def test_the_next_question_starts_anew(lilac: Callable[..., Any]) -> None:
    run = lilac({"contextualize": lambda inputs: {"question": "Is Venus hot?"}}, k=2)
    await run.ask(QUESTION)
    second = await run.ask("Is Venus hot?")
    assert [hop["subquery"] for hop in second["hops"]] == ["Is Venus hot?"] * 2
    assert len(second["subqueries"]) == 2
