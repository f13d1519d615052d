"""backtrail fork: run again from an earlier checkpoint, with other settings, in a new thread.

The checkpoints up to that point are copied into a new thread. In a branch within the old thread the latest state
would be that of whichever branch wrote last; two threads can both be read, resumed and continued.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands import options

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from backtrail.cli.commands.run_graph import Progress, Run
    from backtrail.tools.toolbox import Toolbox


def fork(
    thread: options.ThreadId,
    at: Annotated[
        str,
        typer.Option(
            "--at",
            metavar="STEP",
            help="Where to fork, as trace names it: a step (3), a node (answer), a node within a step (evaluate@3).",
        ),
    ],
    assignments: options.Assignments = None,
    trail: options.Trail = False,
    as_json: options.AsJson = False,
) -> None:
    """Run again from before a step or node, in a new thread; the original thread is not changed.

    Earlier steps are kept and cost nothing. Every method can be forked; trace lists the fork points.
    """
    from backtrail.cli.commands.ask import show_outcome
    from backtrail.cli.commands.run_graph import carry_out

    async def work(progress: Progress) -> tuple[Run, dict[str, Any]]:
        return await branch_off(thread, at, assignments or [], progress)

    run, values = carry_out(work, shown=not as_json, trail=trail)
    show_outcome(run, values, as_json=as_json, trail=trail)


async def branch_off(thread: str, at: str, assignments: list[str], progress: Progress) -> tuple[Run, dict[str, Any]]:
    """Fork a thread before a step or node and run the new thread to its end.

    Raises:
        SettingsError: no such thread, no such step or node in its latest question, or an unusable setting.
    """
    from backtrail.cli.commands.run_graph import compiled, drive
    from backtrail.cli.show.console import err
    from backtrail.tools.checkpoints.history import FORKED_AT
    from backtrail.tools.checkpoints.open import open_checkpoints

    async with open_checkpoints() as saver:
        run, original = await forked_run(saver, thread, at, assignments, progress.toolbox)
        if progress.shown:
            kept = f"Thread {original} up to {run.origin[FORKED_AT]} is now thread {run.thread}."
            err.print(f"[dim]{kept}[/]", soft_wrap=True)
        return run, await drive(compiled(run, progress.toolbox, saver), run, None, progress)


async def forked_run(
    saver: BaseCheckpointSaver[str], thread: str, at: str, assignments: Sequence[str], toolbox: Toolbox
) -> tuple[Run, str]:
    """Fork a thread before a step or node; return the new run and the original thread's id.

    Raises:
        SettingsError: no such thread, no such step or node in its latest question, or an unusable setting.
    """
    from backtrail.cli.commands.fork_points import fork_points
    from backtrail.cli.commands.run_graph import Run, check_dependencies, compiled
    from backtrail.cli.commands.stored_run import stored_run
    from backtrail.graphs.methods import find_method
    from backtrail.tools.checkpoints.history import FORKED_AT, FORKED_FROM, copy_history, run_config

    original = await stored_run(saver, thread, assignments)
    graph = compiled(original, toolbox, saver)
    points = await fork_points(graph, find_method(original.method), original.thread)
    point = points.find(at)
    await asyncio.to_thread(check_dependencies, original, toolbox)
    origin = {FORKED_FROM: original.thread, FORKED_AT: points.name(point)}
    run = Run(str(uuid.uuid4()), original.method, original.settings, origin)
    steered = run_config(run.thread, run.method, run.settings, origin).get("metadata", {})
    await copy_history(saver, point.config, run.thread, steered)
    return run, original.thread
