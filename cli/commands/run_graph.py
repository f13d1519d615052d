"""Run a graph from the command line with checkpoints and live progress."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import typer
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.pregel import Pregel
from langgraph.types import Command

from backtrail.cli.show.console import err
from backtrail.cli.show.human_input import prompt_for_reply
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
    """Run on a thread: method, settings and, for a fork, its origin."""

    thread: str
    method: str
    settings: Settings
    origin: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Progress:
    """Current thread, named after an interruption, and whether steps are shown, and printed for good as a trail."""

    thread: str = ""
    shown: bool = True
    trail: bool = False
    toolbox: Toolbox = field(default_factory=Toolbox)


def carry_out(work: Callable[[Progress], Coroutine[Any, Any, T]], *, shown: bool, trail: bool = False) -> T:
    """Run work to its end. After an interruption or error print how to resume.

    Args:
        shown: show failures and, on a terminal, the steps while the run works.
        trail: print every step.

    Raises:
        typer.Exit: status 130 after Ctrl-C.
    """
    progress = Progress(shown=shown, trail=trail)
    try:
        return asyncio.run(work(progress))
    except KeyboardInterrupt:
        _print_resume_hint(progress.thread, "Interrupted.")
        raise typer.Exit(INTERRUPTED) from None
    except Exception as error:
        _print_resume_hint(
            progress.thread, f"The run stopped; nothing done so far is lost.{failed_decision_cost(error)}"
        )
        raise


def failed_decision_cost(error: Exception) -> str:
    """Describe the cost of the failed decision, which the usage lacks because its step did not finish."""
    spent = error.charge if isinstance(error, ModelError) else None
    if spent is None or not spent["calls"]:
        return ""
    tokens = f"{spent['input_tokens']} input and {spent['output_tokens']} output tokens"
    return f" The failed decision took {spent['calls']} calls, {tokens}, ${spent['cost_usd']:.4f} (not in usage)."


def _print_resume_hint(thread: str, what: str) -> None:
    if thread:
        err.print(
            f"\n[yellow]{what}[/] Thread {thread}. Continue with: [bold]backtrail resume {thread}[/]", soft_wrap=True
        )


def check_dependencies(run: Run, toolbox: Toolbox) -> None:
    """Open the corpus and the models, so that errors such as a missing key show before the run starts."""
    if find_method(run.method).needs_corpus(run.settings):
        toolbox.corpus(run.settings)
    toolbox.decider("planner", run.settings)
    toolbox.decider("reader", run.settings)


def compiled(run: Run, toolbox: Toolbox, saver: BaseCheckpointSaver[str]) -> Graph:
    """Compile the method's graph with a checkpointer.

    Raises:
        SettingsError: unknown method; the message lists all.
    """
    return find_method(run.method).build(toolbox).compile(checkpointer=saver, name=run.method)


async def drive(graph: Graph, run: Run, asked: Any, progress: Progress) -> dict[str, Any]:
    """Run until the graph ends, or waits for a reply and no person is at the terminal; return its state.

    Args:
        asked: the input, a ``Command`` to resume with, or None to continue from the last checkpoint.
    """
    while True:
        await _drive(graph, run, asked, progress)
        state = await graph.aget_state(run_config(run.thread, run.method, run.settings, run.origin))
        reply = prompt_for_reply(state, run.thread, shown=progress.shown)
        if reply is None:
            return dict(state.values)
        asked = Command(resume=reply)


async def _drive(graph: Graph, run: Run, asked: Any, progress: Progress) -> None:
    """Run until the graph ends or interrupts."""
    config = run_config(run.thread, run.method, run.settings, run.origin)
    titles = Titles(lambda: progress.toolbox.contents(run.settings))
    live = Live(err, titles, find_method(run.method), shown=progress.shown, trail=progress.trail)
    progress.thread = run.thread
    live.start()
    try:
        # "sync": a step is on disk before the next begins, so that no finished call is repeated
        async for mode, chunk in graph.astream(
            asked, config, context=run.settings, stream_mode=["tasks", "updates"], durability="sync"
        ):
            live.event(str(mode), chunk)
    finally:
        live.stop()
    progress.thread = ""
