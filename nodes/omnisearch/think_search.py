"""think_search: decide in one turn of OmniSearch what is missing, and which search may find it."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.shorten import shortened
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.omnisearch.answer_evidence import default_knowledge
from backtrail.nodes.reading.answer_grounds import allowed
from backtrail.nodes.reading.component_views import COMPONENT_CHARACTERS, component_text
from backtrail.nodes.reading.pictures import attach_pictures, attach_question_picture
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.budget import exceeded
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.omnisearch.decisions import (
    SEARCH_FIRST,
    THINK_SEARCH,
    FoundElement,
    OmniAction,
    ThinkInputs,
    Thought,
    TurnView,
)
from backtrail.state.omnisearch.memory import Turn
from backtrail.state.search import SearchKind, SearchRecord, SearchTask, refused_search, search_key, search_task
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader

KINDS: dict[OmniAction, SearchKind] = {
    "search by picture": "image-by-picture",
    "search text": "text",
    "search pictures": "image-by-text",
}


class ThinkSearchSlice(TypedDict):
    """(i, t), and every turn with its results."""

    question: str
    image: str | None
    turns: list[Turn]
    searches: list[SearchRecord]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class ThinkSearchWrites(TypedDict, total=False):
    """The turn with its search, or the record of a refused one; or the stop reason."""

    task: SearchTask | None
    turns: list[Turn]
    searches: list[SearchRecord]
    stop_reason: str
    usage: dict[str, Charge]
    failures: list[Failure]


def think_search(toolbox: Toolbox) -> AsyncNode[ThinkSearchSlice, ThinkSearchWrites]:
    """Node: the next turn. After the last turn, a reached ceiling or an invalid reply an answer is forced."""

    async def next_turn(state: ThinkSearchSlice, runtime: Runtime[Settings]) -> ThinkSearchWrites:
        settings = settings_of(runtime)
        done = len(state["turns"])
        over = exceeded(state["usage"], done, settings.budget)
        if over or done >= settings.omnisearch.turns:
            return {"task": None, "stop_reason": over or "limit:turns"}
        contents, image = toolbox.contents(settings), state.get("image")
        views, components = await asyncio.to_thread(_views, contents, state, settings)
        taken = await take(
            toolbox, settings, SEARCH_FIRST if allowed(settings, default_knowledge) == "evidence" else THINK_SEARCH,
            ThinkInputs(
                question=state["question"], has_picture=bool(image), turns=views,
                turns_left=settings.omnisearch.turns - done,
            ),
            node="think_search", step=done + 1, spent=state["usage"],
            pictures=[
                *await attach_question_picture(toolbox, image, settings, "planner"),
                *await attach_pictures(contents, components, settings, "planner"),
            ],
        )  # fmt: skip
        spent: ThinkSearchWrites = {"task": None, "usage": taken.usage, "failures": taken.failures}
        if taken.output is None:
            return {**spent, "stop_reason": "failed:think_search"}
        return {**spent, **_turn(state, taken.output, done + 1)}

    return next_turn


def _turn(state: ThinkSearchSlice, thought: Thought, index: int) -> ThinkSearchWrites:
    turn: Turn = {
        "index": index,
        "thought": thought.thought,
        "subquestion": thought.subquestion,
        "action": thought.action,
        "query": " ".join(thought.query.split()),
    }
    if thought.action == "final answer":
        return {"turns": [turn], "stop_reason": "final answer"}
    query = turn["query"] or thought.subquestion
    task = search_task(KINDS[thought.action], query, state["question"], state.get("image"), number=index)
    key = search_key(task["kind"], task["query"], task["picture"])
    for search in state["searches"]:
        if search["outcome"] != "refused" and key == search_key(search["kind"], search["query"], task["picture"]):
            reason = f"The same search was done in turn {search['round']}, and ended as {search['outcome']}."
            return {"turns": [turn], "searches": [refused_search(task, reason)]}
    return {"turns": [turn], "task": task}


def _views(
    contents: ContentsReader, state: ThinkSearchSlice, settings: Settings
) -> tuple[list[TurnView], list[Component]]:
    """Return the turns with their first elements, and their components, newest turn first (blocking)."""
    limits, by_round = settings.omnisearch, {search["round"]: search for search in state["searches"]}
    views: list[TurnView] = []
    components: list[Component] = []
    for turn in state["turns"]:
        search = by_round[turn["index"]]
        found = contents.components(search["found"][: limits.shown])
        views.append(
            TurnView(
                index=turn["index"], subquestion=turn["subquestion"], action=turn["action"], query=turn["query"],
                outcome=search["outcome"], reason=search["reason"],
                found=[_element(one, state, limits.shown_characters) for one in found.values()],
            )
        )  # fmt: skip
        components = [*found.values(), *components]
    return views, components


def _element(component: Component, state: ThinkSearchSlice, characters: int) -> FoundElement:
    record = state["evidence"].get(component.id)
    return FoundElement(
        id=component.id,
        modality=component.modality,
        title=record["title"] if record else component.document,
        text=shortened(component_text(component, COMPONENT_CHARACTERS), state["question"], characters),
    )
