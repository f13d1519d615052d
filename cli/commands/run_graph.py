"""Run a graph from the command line: checkpointed, shown live, resumable after an interruption."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import typer
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.pregel import Pregel
from langgraph.types import Command

from backtrail.cli.show.console import err, out
from backtrail.cli.show.human_input import reply_to_asked
from backtrail.cli.show.live_progress import Live
from backtrail.cli.show.titles import Titles
from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.tools.checkpoints.history import run_config
from backtrail.tools.errors import ModelError
from backtrail.tools.toolbox import Toolbox

T = TypeVar("T")
Graph = Pregel[Any, Any, Any, Any]
INTERRUPTED = 130


@dataclass(frozen=True)
class Run:
    """A run on a thread, what steers it, and, for a fork, where it comes from."""

    thread: str
    method: str
    settings: Settings
    origin: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Progress:
    """Which thread is at work, so that an interruption can say how to go on; whether its steps are shown, and stay."""

    thread: str = ""
    shown: bool = True
    kept: bool = True
    toolbox: Toolbox = field(default_factory=Toolbox)


def carry_out(work: Callable[[Progress], Coroutine[Any, Any, T]], *, shown: bool, kept: bool = True) -> T:
    """Run work to its end. Interrupted or failed on the way, say how to resume.

    Args:
        shown: tell its steps.
        kept: leave them on a terminal that the answer is printed on, too; a file or pipe gets them anyway.

    Raises:
        typer.Exit: with status 130 after an interruption from the keyboard.
    """
    progress = Progress(shown=shown, kept=kept or not out.is_terminal)
    try:
        return asyncio.run(work(progress))
    except KeyboardInterrupt:
        _say_how_to_resume(progress.thread, "Interrupted.")
        raise typer.Exit(INTERRUPTED) from None
    except Exception as error:
        _say_how_to_resume(progress.thread, f"The run stopped; nothing done so far is lost.{unbooked(error)}")
        raise


def unbooked(error: Exception) -> str:
    """What the decision that stopped the run has cost: its step did not end, so the run's usage lacks it."""
    spent = error.charge if isinstance(error, ModelError) else None
    if spent is None or not spent["calls"]:
        return ""
    tokens = f"{spent['input_tokens']} input and {spent['output_tokens']} output tokens"
    return (
        f" The decision it stopped at took {spent['calls']} calls, {tokens}, ${spent['cost_usd']:.4f} (not in usage)."
    )


def _say_how_to_resume(thread: str, what: str) -> None:
    if thread:
        err.print(
            f"\n[yellow]{what}[/] Thread {thread}. Go on with: [bold]backtrail resume {thread}[/]", soft_wrap=True
        )


def check_openable(run: Run, toolbox: Toolbox) -> None:
    """Fail before the run begins, rather than in the middle of it: unknown corpus, model without a key."""
    if find_method(run.method).needs_corpus(run.settings):
        toolbox.corpus(run.settings)
    toolbox.decider("planner", run.settings)
    toolbox.decider("reader", run.settings)


def compiled(run: Run, toolbox: Toolbox, saver: BaseCheckpointSaver[str]) -> Graph:
    """The method's graph with its checkpoints.

    Raises:
        SettingsError: no such method; lists those that exist.
    """
    return find_method(run.method).build(toolbox).compile(checkpointer=saver, name=run.method)


async def drive(graph: Graph, run: Run, asked: Any, progress: Progress) -> dict[str, Any]:
    """Run until it ends or waits for a reply that nobody is there to give; return its state.

    Args:
        asked: what it begins with, a ``Command`` that it is resumed with, or None to go on from the last checkpoint.
    """
    while True:
        await _drive(graph, run, asked, progress)
        state = await graph.aget_state(run_config(run.thread, run.method, run.settings, run.origin))
        reply = reply_to_asked(state, run.thread, shown=progress.shown)
        if reply is None:
            return dict(state.values)
        asked = Command(resume=reply)


async def _drive(graph: Graph, run: Run, asked: Any, progress: Progress) -> None:
    """Run until it ends or asks."""
    config = run_config(run.thread, run.method, run.settings, run.origin)
    titles = Titles(lambda: progress.toolbox.contents(run.settings))
    live = Live(err, titles, find_method(run.method), shown=progress.shown, passing=not progress.kept)
    progress.thread = run.thread
    live.start()
    try:
        # "sync": a step is on disk before the next begins, so no call of a finished step is made again.
        async for mode, chunk in graph.astream(
            asked, config, context=run.settings, stream_mode=["tasks", "updates"], durability="sync"
        ):
            live.event(str(mode), chunk)
    finally:
        live.stop()
    progress.thread = ""
