"""choose_path: one call of the planner decides what is searched before the answer (section 3.3).

If planner and reader are one model, the call also gives the answer, if nothing is searched, or the query of a text
search (ours).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_question_picture
from backtrail.nodes.take_decision import settings_of, take
from backtrail.rules.vqa_planner.router import shipped_router
from backtrail.state.budget import exceeded
from backtrail.state.failure import Failure
from backtrail.state.own_knowledge_decisions import OwnReply, own_reply
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.usage import Charge
from backtrail.state.vqa_planner.decisions import (
    CHOOSE_OR_ANSWER,
    CHOOSE_PATH,
    CLASSES,
    ChooseOrAnswerInputs,
    ChoosePathInputs,
    GoldQuery,
    GoldQueryInputs,
    PathOption,
    stands_alone,
)
from backtrail.state.vqa_planner.memory import ChosenPath
from backtrail.state.vqa_planner.settings import PathName
from backtrail.state.vqa_planner.variant import VQA_PLANNER
from backtrail.tools.toolbox import Toolbox

PATH_NAMES: dict[PathOption, PathName] = {"A": "alone", "B": "image", "C": "text", "D": "both"}
WITHOUT_PICTURE: dict[PathOption, PathOption] = {"A": "A", "B": "A", "C": "C", "D": "C"}
"""Paths to run instead if there is no picture to search with."""


class ChoosePathSlice(TypedDict):
    """q = (i, t)."""

    question: str
    image: str | None
    usage: dict[str, Charge]


class ChoosePathWrites(TypedDict):
    """The path, whose name is the stop reason.

    ``own`` is the answer of path A, ``queries`` the gold query of path C, if they came with the choice.
    """

    path: ChosenPath
    own: OwnReply | None
    queries: list[str]
    stop_reason: str
    usage: dict[str, Charge]
    failures: list[Failure]


@dataclass(frozen=True)
class _Choice:
    """The chosen path, with its reason and costs."""

    planned: PathOption | None
    option: PathOption
    probabilities: dict[str, float]
    why: str
    usage: dict[str, Charge]
    failures: list[Failure]
    own: OwnReply | None = None
    queries: tuple[str, ...] = ()


def choose_path(toolbox: Toolbox) -> AsyncNode[ChoosePathSlice, ChoosePathWrites]:
    """Node: the planner's path, or the one that the settings fix.

    Without a valid reply every possible search is made. A search by picture without a picture is a recorded failure,
    and the rest of the path runs. A reached ceiling leaves path A.
    """

    async def settle_path(state: ChoosePathSlice, runtime: Runtime[Settings]) -> ChoosePathWrites:
        settings = settings_of(runtime)
        over = exceeded(state["usage"], 0, settings.budget)
        if over:
            return {
                "path": _path(_stopped(over), "A"), "own": None, "queries": [], "stop_reason": over, "usage": {},
                "failures": [],
            }  # fmt: skip
        choice = await _choose(toolbox, settings, state)
        option, failures = choice.option, choice.failures
        if not state.get("image") and WITHOUT_PICTURE[option] != option:
            option = WITHOUT_PICTURE[option]
            failures = [*failures, _no_picture(choice.option, option)]
        over = exceeded({**state["usage"], **choice.usage}, 0, settings.budget)
        if over:
            option = "A"
        return {
            "path": _path(choice, option),
            "own": choice.own if option == "A" else None,
            "queries": list(choice.queries) if option == "C" else [],
            "stop_reason": over or f"path:{PATH_NAMES[option]}",
            "usage": choice.usage,
            "failures": failures,
        }

    return settle_path


async def _choose(toolbox: Toolbox, settings: Settings, state: ChoosePathSlice) -> _Choice:
    fixed: list[PathOption] = [one for one, name in PATH_NAMES.items() if name == settings.vqa_planner.path]
    if fixed:
        return _Choice(None, fixed[0], {}, "The settings fix the path.", {}, [])
    image = state.get("image")
    await asyncio.to_thread(shipped_router)  # rules may take the decision, and must not read files here
    if VQA_PLANNER.of(settings.variant).one_call and settings.planner == settings.reader != OFFLINE:
        return await _choose_or_answer(toolbox, settings, state)
    taken = await take(
        toolbox, settings, CHOOSE_PATH, ChoosePathInputs(question=state["question"], has_picture=bool(image)),
        node="choose_path", step=0, spent=state["usage"],
        pictures=await attach_question_picture(toolbox, image, settings, "planner"),
    )  # fmt: skip
    if taken.output is None:
        return _everything(state, taken.usage, taken.failures)
    chosen = taken.output
    return _Choice(chosen.option, chosen.option, chosen.probabilities, chosen.why, taken.usage, taken.failures)


async def _choose_or_answer(toolbox: Toolbox, settings: Settings, state: ChoosePathSlice) -> _Choice:
    image = state.get("image")
    inputs = ChooseOrAnswerInputs(question=state["question"], has_picture=bool(image))
    taken = await take(
        toolbox, settings, CHOOSE_OR_ANSWER, inputs, node="choose_path", step=0, spent=state["usage"],
        pictures=await attach_question_picture(toolbox, image, settings, "planner"),
    )  # fmt: skip
    chosen = taken.output
    if chosen is None:
        return _everything(state, taken.usage, taken.failures)
    query = " ".join(chosen.gold_query.split())
    usable = not stands_alone(
        GoldQueryInputs(question=inputs.question, has_picture=inputs.has_picture), GoldQuery(gold_query=query)
    )
    return _Choice(
        chosen.option, chosen.option, {}, chosen.why, taken.usage, taken.failures, own_reply(chosen),
        (query,) if usable else (),
    )  # fmt: skip


def _everything(state: ChoosePathSlice, usage: dict[str, Charge], failures: list[Failure]) -> _Choice:
    everything: PathOption = "D" if state.get("image") else "C"
    return _Choice(None, everything, {}, "No valid path was chosen, so no search was ruled out.", usage, failures)


def _stopped(over: str) -> _Choice:
    return _Choice(None, "A", {}, f"The ceiling {over} is reached.", {}, [])


def _path(choice: _Choice, option: PathOption) -> ChosenPath:
    return {
        "planned": choice.planned,
        "option": option,
        "category": CLASSES[option],
        "probabilities": {letter: round(share, 4) for letter, share in choice.probabilities.items()},
        "why": choice.why,
    }


def _no_picture(asked: PathOption, run: PathOption) -> Failure:
    return {
        "id": "choose_path@0#picture",
        "node": "choose_path",
        "step": 0,
        "error": "PictureNeeded",
        "message": f"Path {asked} searches by the question's picture, and there is no usable one. "
        f"Path {run} runs instead: the same without that search.",
    }
