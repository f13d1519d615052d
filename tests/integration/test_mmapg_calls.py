"""What MMAPG pays: the calls of whole runs with every decision scripted, as it is here and as published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.scripted_mmapg import (
    ANSWER,
    SCRIPT,
    SETTINGS,
    UNHEARD,
    answer,
    retrieval,
    run,
)

from backtrail.nodes.mmapg.candidate_order import rounds_of
from backtrail.state.mmapg.memory import Candidate
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import total_usage
from backtrail.state.variant import VariantName

QUESTION = "Who designed the Urania bridge of Vienna, opened in 1909?"
BRIDGES = retrieval("Bridges of Vienna opened 1909", "n0")
DESIGNED = retrieval("Urania bridge designed", "n1", within="links")


@pytest.fixture(autouse=True)
def tiny_corpus(few_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(few_home))


def settling(inputs: Any) -> dict[str, Any]:
    """An examiner to whom one finding settles it: of all bridges the table, else the page of the bridge."""
    ids = [one.id for one in inputs.candidates]
    sought = "bridges#t" if inputs.instruction.startswith("Bridges") else "urania#p0"
    found = sought if sought in ids else ids[0]
    return {"findings": [{"component": found, "says": "It says so."}], "settled": True}


async def test_two_hops_cost_six_calls_where_the_paper_makes_one_for_each_candidate() -> None:
    hops = [[BRIDGES], [DESIGNED], [answer("", "n1", "n2")]]
    values, asked = await run(*hops, question=QUESTION, script={"mmapg_examine_texts": settling})
    assert values["answer"]["text"] == ANSWER
    assert asked == [
        "mmapg_open",  # with the first retrieval, so no planner for it
        "mmapg_prepare", "mmapg_examine_texts",  # a single finding is not compiled
        "mmapg_plan", "mmapg_examine_texts",  # along links nothing is searched by query
        "answer",  # is due, as both parts of the plan are settled; and so is the stop after it
    ]  # fmt: skip
    assert [node["kind"] for node in values["planning_graph"]][-2:] == ["answer", "stop"]
    assert (values["stop_reason"], total_usage(values["usage"])["calls"]) == ("stop", 6)

    again = [[BRIDGES], [retrieval("Urania bridge designed", "n1")], [answer(QUESTION, "n1", "n2")]]
    values, published = await run(*again, question=QUESTION, variant="published", candidates=20)
    assert values["answer"]["text"] == ANSWER
    assert len(published) >= 2 * len(asked)


async def test_one_hop_costs_four_calls() -> None:
    values, asked = await run([retrieval(QUESTION, "n0")], question=QUESTION, script={"mmapg_examine_texts": settling})
    assert asked == ["mmapg_open", "mmapg_prepare", "mmapg_examine_texts", "answer"]
    assert values["planning_graph"][1]["settled"]
    assert values["planning_graph"][2]["parents"] == ["n1"]
    assert values["planning_graph"][2]["instruction"] == QUESTION


async def test_what_is_not_settled_is_planned_on() -> None:
    def unsettled(inputs: Any) -> dict[str, Any]:
        return {**settling(inputs), "settled": False}

    turns = [[retrieval(QUESTION, "n0")], [answer("", "n1")]]
    _, asked = await run(*turns, question=QUESTION, script={"mmapg_examine_texts": unsettled})
    assert asked.count("mmapg_plan") == 1


@pytest.mark.parametrize(("confidence", "asked_again"), [(0.8, 0), (0.5, 1)])
async def test_after_a_partial_answer_the_planner_is_asked(confidence: float, asked_again: int) -> None:
    partly: dict[str, Any] = {
        "mmapg_examine_texts": settling,
        "answer": lambda inputs: {**SCRIPT["answer"](inputs), "confidence": confidence},
    }
    _, asked = await run([retrieval("Urania bridge", "n0")], [answer("", "n1")], question=QUESTION, script=partly)
    assert asked.count("mmapg_plan") == 1 + asked_again


async def test_the_next_chunk_is_read_only_while_nothing_settles() -> None:
    wide: dict[str, Any] = {"candidates": 6, "text_radius": 2.0, "chunk": 2}
    shown: list[list[str]] = []
    earlier: list[int] = []

    def examine(inputs: Any) -> dict[str, Any]:
        shown.append([one.id for one in inputs.candidates])
        earlier.append(len(inputs.found))
        finding = {"component": inputs.candidates[0].id, "says": "It says so."}
        return {"findings": [finding], "settled": len(shown) == 2}

    values, asked = await run([BRIDGES], question=QUESTION, script={"mmapg_examine_texts": examine}, **wide)
    examined = [key for chunk in shown for key in chunk]
    assert (len(shown), len(set(examined))) == (2, len(examined))
    assert earlier == [0, 1]  # what earlier chunks said travels on
    assert values["planning_graph"][1]["search"]["examined"] == 8 > len(examined)
    assert asked.count("mmapg_compile") == 0  # they settle it, and there are two of them


@pytest.mark.parametrize(("related", "read"), [([], 1), ([0], 2), ([0, 1], 3)])
async def test_a_chunk_that_relates_nothing_is_the_last(related: list[int], read: int) -> None:
    wide: dict[str, Any] = {"candidates": 20, "text_radius": 2.0, "chunk": 2}
    shown: list[list[str]] = []

    def examine(inputs: Any) -> dict[str, Any]:
        shown.append([one.id for one in inputs.candidates])
        said = {"component": inputs.candidates[0].id, "says": "It says so."}
        return {"findings": [said] if len(shown) - 1 in related else []}

    await run([BRIDGES], question=QUESTION, script={"mmapg_examine_texts": examine}, **wide)
    assert len(shown) == read


async def test_findings_that_settle_nothing_are_compiled() -> None:
    def examine(inputs: Any) -> dict[str, Any]:
        return {"findings": [{"component": one.id, "says": "It says so."} for one in inputs.candidates[:2]]}

    _, asked = await run(
        [BRIDGES], question=QUESTION, script={"mmapg_examine_texts": examine}, candidates=6, text_radius=2.0
    )
    assert asked.count("mmapg_compile") == 1


async def test_a_finding_without_words_speaks_for_itself_and_nobody_is_asked_again() -> None:
    silent: dict[str, Any] = {
        "mmapg_examine_texts": lambda inputs: {"findings": [{"component": inputs.candidates[0].id}]}
    }
    values, asked = await run([BRIDGES], question=QUESTION, script=silent)
    assert values["planning_graph"][1]["status"] == "found"
    assert asked.count("mmapg_examine_texts") == 1


async def test_without_valid_queries_the_instruction_is_searched() -> None:
    nothing: dict[str, Any] = {"mmapg_prepare": lambda inputs: {"text_part": "Urania bridge", "image_kind": "targeted"}}
    values, asked = await run([BRIDGES], question=QUESTION, script=nothing)
    search = values["planning_graph"][1]["search"]
    assert (search["text_queries"], search["image_kind"]) == (["Urania bridge"], "none")
    assert asked.count("mmapg_prepare") == 1


async def test_nothing_near_costs_no_examination() -> None:
    _, asked = await run([retrieval(UNHEARD, "n0")], question=QUESTION, text_radius=0.05)
    assert asked[:3] == ["mmapg_open", "mmapg_prepare", "mmapg_plan"]


# --- rounds ------------------------------------------------------------------------------------------
def candidate(key: str) -> Candidate:
    return {
        "component": key, "modality": "text", "entries": [], "similarity": 0.5, "coverage": 0.5, "path_coverage": 0.0,
        "context": None, "parent": None, "row": None, "anchor": "", "pictured": key.startswith("i"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "image", "expected"),
    [
        ("a", "", [["t0 t1"], ["t2"], ["i0 i1"], ["i2"]]),
        ("", "b", [["i0 i1"], ["i2"], ["t0 t1"], ["t2"]]),
        ("a", "b", [["t0 t1", "i0 i1"], ["t2", "i2"]]),
    ],
)
def test_what_is_meant_is_examined_first(text: str, image: str, expected: list[list[str]]) -> None:
    near = [candidate(key) for key in ("t0", "i0", "i1", "t1", "i2", "t2")]
    settings = Settings(vlm="scripted", pictures=2, mmapg=SETTINGS.mmapg.model_copy(update={"chunk": 2}))
    rounds = rounds_of(near, text, image, settings)
    assert [[" ".join(chunk["components"]) for chunk in chunks] for chunks in rounds] == expected
    assert [chunk["index"] for chunks in rounds for chunk in chunks] == list(range(4))


@pytest.mark.parametrize("variant", ["ours", "published"])
@pytest.mark.parametrize("calls", [4, 7])
async def test_side_by_side_a_ceiling_on_calls_is_kept(variant: VariantName, calls: int) -> None:
    wide = {"candidates": 20, "text_radius": 2.0, "chunk": 2}
    values, asked = await run(
        [BRIDGES], [answer("", "n1")], question=QUESTION, variant=variant, budget=Budget(calls=calls), **wide
    )
    assert len(asked) <= calls
    assert values["stop_reason"] == "budget:calls"
