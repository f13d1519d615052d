"""Read the run of a thread from its checkpoints, for the terminal, JSON and the server's page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jinja2 import TemplateError
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from typing_extensions import TypedDict

from backtrail.cli.commands.fork_points import ForkPoints, fork_points
from backtrail.cli.commands.run_graph import Graph, Run, compiled
from backtrail.cli.show.answer_lines import by_node
from backtrail.cli.show.records.find import all_views, views_of
from backtrail.cli.show.records.view import Drawing, Shown, View
from backtrail.cli.show.result import result
from backtrail.cli.show.titles import Titles
from backtrail.graphs.methods import METHODS
from backtrail.graphs.state_values import fitting
from backtrail.nodes.reading.abstain_below_confidence import NEAREST
from backtrail.state.chat.human_input import ApprovalRequest, approval_request_in
from backtrail.state.path import EdgeKind
from backtrail.state.settings import Settings
from backtrail.state.usage import total_usage
from backtrail.tools.checkpoints.history import (
    FORKED_AT,
    FORKED_FROM,
    Thread,
    find_thread,
    recent_threads,
    settings_of_run,
    thread_config,
)
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.errors import BacktrailError, SettingsError
from backtrail.tools.toolbox import Toolbox


class ThreadLine(TypedDict):
    """Thread in the list."""

    thread_id: str
    asked_at: str
    method: str
    question: str
    steps: int
    finished: bool
    answer: str
    calls: int
    cost_usd: float


class Conversation(TypedDict):
    """Thread in the list with all its texts and its number of questions."""

    line: ThreadLine
    texts: list[str]
    questions: int


NOWHERE = ForkPoints((), None, ())

DISPLAY_ERRORS = (ArithmeticError, AttributeError, LookupError, RecursionError, TemplateError, TypeError, ValueError)
"""Errors of showing stored values that have the right type but are inconsistent."""

INCONSISTENT = "its values are inconsistent."


@dataclass(frozen=True)
class Trace:
    """Run of a thread's latest question. ``forked_at`` is the name of its fork point.

    ``broken``: stored values that cannot be shown, with the problem; ``values``: all others. ``approval_request``:
    the decision that the run waits for. ``edges`` counts the corpus's current edges by kind.
    """

    thread: str
    method: str
    settings: Settings
    values: dict[str, Any]
    next: tuple[str, ...]
    titles: Titles
    forked_from: str = ""
    forked_at: str = ""
    fork_points: ForkPoints = NOWHERE
    broken: Mapping[str, str] = field(default_factory=dict)
    approval_request: ApprovalRequest | None = None
    edges: Callable[[], Mapping[EdgeKind, int]] = dict

    @property
    def finished(self) -> bool:
        """Whether the run has ended."""
        return not self.next

    @property
    def origin(self) -> str:
        """Origin of a fork: ``forked from THREAD at round 2``; empty if the run is not a fork."""
        if not self.forked_from:
            return ""
        method = METHODS.get(self.method)
        step = f"{method.steps.word} " if method and method.steps and self.forked_at.isdecimal() else ""
        return f"forked from {self.forked_from} at {step}{self.forked_at}"

    @cached_property
    def views(self) -> list[View]:
        """Views of the method's records."""
        return views_of(METHODS.get(self.method))

    @property
    def shown(self) -> Shown:
        """State for the views."""
        numbered: set[int] = set()
        for view in self.views:
            with suppress(*DISPLAY_ERRORS):  # reported when the records are shown
                numbered |= view.numbers(self.values)
        return Shown(self.values, self.titles, numbered)

    @property
    def drawing(self) -> Drawing | None:
        """Drawing of the record that is a graph, if the method has one."""
        return next((drawn for view in self.views if (drawn := view.drawing(self.values))), None)

    def as_json(self) -> dict[str, Any]:
        """Return the trace as plain values; kinds of record that the method lacks are empty."""
        kinds = all_views()
        documents = list(dict.fromkeys(document for kind in kinds for document in kind.documents(self.values)))
        self.titles.look_up(documents)
        outcome = result(self.thread, self.method, self.settings.variant, self.values)
        if not self.finished:  # the state still contains the answer to the previous question
            outcome.update(answer=None, abstained=None, confidence=None, calibrated=None, quotes=[], citations=[])
        return {
            **outcome,
            "finished": self.finished,
            "broken": dict(self.broken),
            "next": list(self.next),
            "settings": self.settings.model_dump(),
            **{key: record for kind in kinds for key, record in kind.plain(self.values).items()},
            "edges": dict(self.edges()),
            "usage_by_node": by_node(self.values.get("usage", {})),
            "titles": {document: self.titles.of(document) for document in documents},
            "forked_from": self.forked_from or None,
            "forked_at": self.forked_at or None,
            "fork_points": [
                {"at": self.fork_points.name(point), "step": point.step, "nodes": list(point.nodes)}
                for point in self.fork_points.points
            ],
        }


async def read_trace(thread: str) -> Trace:
    """Return the trace of a thread. Titles are looked up later, because that reads the corpus.

    Raises:
        SettingsError: no such thread; the message lists the latest.
    """
    toolbox = Toolbox()
    async with open_checkpoints() as saver:
        held = await find_thread(saver, thread)
        stored, pending, asks = await _state(saver, held, toolbox)
        points = await _fork_points(saver, held, toolbox)
    values, broken = await asyncio.to_thread(fitting, held.method, stored)
    settings = _settings(held, broken)
    titles = Titles(lambda: toolbox.contents(settings))
    titles.note(values.get("evidence", {}))
    origin: Mapping[str, Any] = held.metadata
    return Trace(
        held.id, held.method, settings, values, pending, titles,
        str(origin.get(FORKED_FROM, "")), str(origin.get(FORKED_AT, "")), points, broken, asks,
        lambda: _walked(toolbox, settings, values),
    )  # fmt: skip


def _walked(toolbox: Toolbox, settings: Settings, values: Mapping[str, Any]) -> Mapping[EdgeKind, int]:
    """Count the corpus's edges by kind for a run with hops; empty without hops or corpus. Blocking."""
    with suppress(BacktrailError):  # show the trace without edges
        return toolbox.corpus(settings).edge_kinds() if values.get("hops") else {}
    return {}


def _settings(thread: Thread, broken: dict[str, str]) -> Settings:
    """Return the run's settings; if they cannot be read, the defaults, with a line in ``broken``."""
    try:
        return settings_of_run(thread.metadata)
    except SettingsError as error:
        broken["settings"] = str(error)
        return Settings()


async def list_threads(limit: int, owner: str = "") -> list[ThreadLine]:
    """Return recent threads, newest first; of one holder of a key if named."""
    return [one["line"] for one in await list_conversations(limit, owner)]


async def list_conversations(limit: int, owner: str = "") -> list[Conversation]:
    """Return recent threads with their texts, newest first; of one holder of a key if named."""
    toolbox = Toolbox()
    graphs: dict[str, Graph] = {}
    found: list[Conversation] = []
    async with open_checkpoints() as saver:
        for thread in await recent_threads(saver, limit, owner):
            values, pending, _ = await _state(saver, thread, toolbox, graphs)
            found.append(_conversation(thread, values, finished=not pending))
    return found


def _conversation(thread: Thread, values: Mapping[str, Any], *, finished: bool) -> Conversation:
    kept, _ = fitting(thread.method, {key: values[key] for key in ("answer", "usage") if key in values})
    spent, method = total_usage(kept.get("usage", {})), METHODS.get(thread.method)
    answer = (kept.get("answer") or {}).get("text", "").partition("\n")[0] if finished else ""
    answer = answer.removesuffix(NEAREST).rstrip()  # the list shows no quotes below the line
    messages = [message for message in values.get("messages") or () if isinstance(message, BaseMessage)]
    question = str(values.get("question", ""))
    line: ThreadLine = {
        "thread_id": thread.id, "asked_at": thread.at, "method": thread.method, "question": question,
        "steps": method.steps_taken(values) if method else 0, "finished": finished,
        "answer": answer, "calls": spent["calls"], "cost_usd": spent["cost_usd"],
    }  # fmt: skip
    texts = [question, answer, *(str(message.text) for message in messages)]
    return {"line": line, "texts": texts, "questions": sum(message.type == "human" for message in messages)}


async def _fork_points(saver: BaseCheckpointSaver[str], thread: Thread, toolbox: Toolbox) -> ForkPoints:
    if thread.method not in METHODS:
        return NOWHERE
    graph = compiled(Run(thread.id, thread.method, Settings()), toolbox, saver)
    return await fork_points(graph, METHODS[thread.method], thread.id)


async def _state(
    saver: BaseCheckpointSaver[str], thread: Thread, toolbox: Toolbox, graphs: dict[str, Graph] | None = None
) -> tuple[dict[str, Any], tuple[str, ...], ApprovalRequest | None]:
    """Return the values of a thread, its pending nodes, and the decision it waits for.

    ``graphs`` caches the compiled graphs of methods.
    """
    if thread.method not in METHODS:  # a thread of another application in the same database
        stored = await saver.aget_tuple(thread_config(thread.id))
        return (dict(stored.checkpoint["channel_values"]) if stored else {}), (), None
    graphs = {} if graphs is None else graphs
    if thread.method not in graphs:
        graphs[thread.method] = compiled(Run(thread.id, thread.method, Settings()), toolbox, saver)
    state = await graphs[thread.method].aget_state(thread_config(thread.id))
    # tasks include finished branches of an unfinished step
    asks = next((found for one in state.interrupts if (found := approval_request_in(one.value))), None)
    return dict(state.values), tuple(task.name for task in state.tasks), asks
