"""Earlier questions of a thread, each as the run that answered it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.pregel import Pregel

from backtrail.cli.commands.run_graph import Run, compiled
from backtrail.cli.show.trace_record import NOWHERE, Trace
from backtrail.graphs.methods import METHODS
from backtrail.graphs.state_values import fitting
from backtrail.tools.checkpoints.history import Thread, settings_of_run, thread_config
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.errors import SettingsError
from backtrail.tools.toolbox import Toolbox

TURNS = 50
"""Maximum number of earlier questions that are read, newest first (ours)."""


async def earlier_turns(latest: Trace) -> list[Trace]:
    """Return the traces of earlier questions, oldest first, each as it was when the next was asked."""
    turns: list[Trace] = []
    async with open_checkpoints() as saver:
        # the parent of an input checkpoint is the last one of the previous question
        inputs = [one async for one in saver.alist(thread_config(latest.thread), filter={"source": "input"})]
        for one in inputs[:TURNS]:
            if one.parent_config is not None and (turn := await _ended_at(saver, one.parent_config, latest)):
                turns.append(turn)
    return turns[::-1]


async def _ended_at(saver: BaseCheckpointSaver[str], place: Any, latest: Trace) -> Trace | None:
    stored = await saver.aget_tuple(place)
    if stored is None:
        return None
    past = Thread(latest.thread, str(stored.checkpoint["ts"]), dict(stored.metadata))
    if past.method not in METHODS:
        return None
    graph: Pregel[Any, Any, Any, Any] = compiled(Run(past.id, past.method, latest.settings), Toolbox(), saver)
    state = await graph.aget_state(place)
    values, broken = fitting(past.method, dict(state.values))
    try:
        settings = settings_of_run(past.metadata)
    except SettingsError as error:
        settings, broken = latest.settings, {**broken, "settings": str(error)}
    pending = tuple(task.name for task in state.tasks if task.name != "__start__")
    return replace(
        latest, method=past.method, settings=settings, values=values, next=pending, broken=broken, fork_points=NOWHERE,
        forked_from="", forked_at="",
    )  # fmt: skip
