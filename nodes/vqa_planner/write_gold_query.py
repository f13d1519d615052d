"""write_gold_query: complete the question with what its picture shows, for the text search (3.3, q_g)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.shorten import shortened
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.component_views import COMPONENT_CHARACTERS, component_text
from backtrail.nodes.reading.pictures import attach_pictures, attach_question_picture
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.budget import exceeded
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.search import SearchRecord
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.state.vqa_planner.decisions import GOLD_QUERY, FoundPicture, GoldQueryInputs
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader


class WriteGoldQuerySlice(TypedDict):
    """(i, t), and k_i if the picture was searched with."""

    question: str
    image: str | None
    searches: list[SearchRecord]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class WriteGoldQueryWrites(TypedDict, total=False):
    """q_g as the only query; without a query the stop reason, after a ceiling was reached."""

    queries: list[str]
    stop_reason: str
    usage: dict[str, Charge]
    failures: list[Failure]


def write_gold_query(toolbox: Toolbox) -> AsyncNode[WriteGoldQuerySlice, WriteGoldQueryWrites]:
    """Node: the gold query. Without a valid one the question is the query, and the failure is recorded."""

    async def complete_question(state: WriteGoldQuerySlice, runtime: Runtime[Settings]) -> WriteGoldQueryWrites:
        settings = settings_of(runtime)
        done = len(state["searches"])
        if over := exceeded(state["usage"], done, settings.budget):
            return {"stop_reason": over}
        contents, image = toolbox.contents(settings), state.get("image")
        found = [id_ for search in state["searches"] for id_ in search["found"]]
        components = await asyncio.to_thread(_components, contents, found)
        taken = await take(
            toolbox, settings, GOLD_QUERY,
            GoldQueryInputs(
                question=state["question"], has_picture=bool(image),
                pictures=[_view(component, state, settings) for component in components],
            ),
            node="write_gold_query", step=0, spent=state["usage"],
            pictures=[
                *await attach_question_picture(toolbox, image, settings, "reader"),
                *await attach_pictures(contents, components, settings, "reader"),
            ],
        )  # fmt: skip
        query = " ".join((taken.output.gold_query if taken.output else state["question"]).split())
        writes: WriteGoldQueryWrites = {"queries": [query], "usage": taken.usage, "failures": taken.failures}
        if over := exceeded({**state["usage"], **taken.usage}, done, settings.budget):
            writes["stop_reason"] = over
        return writes

    return complete_question


def _components(contents: ContentsReader, ids: list[str]) -> list[Component]:
    found = contents.components(ids)
    return [found[id_] for id_ in ids if id_ in found]


def _view(component: Component, state: WriteGoldQuerySlice, settings: Settings) -> FoundPicture:
    words = component_text(component, COMPONENT_CHARACTERS)
    return FoundPicture(
        id=component.id,
        title=state["evidence"][component.id]["title"] if component.id in state["evidence"] else "",
        text=shortened(words, state["question"], settings.vqa_planner.shown_characters),
    )
