"""backtrail resume: continue an interrupted run from its last checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands import options

if TYPE_CHECKING:
    from backtrail.cli.commands.run_graph import Progress, Run


def resume(
    thread: options.ThreadId,
    reply: Annotated[str | None, typer.Option(help="Reply to the run's question: yes, no, or other text.")] = None,
    assignments: options.Assignments = None,
    trail: options.Trail = False,
    as_json: options.AsJson = False,
) -> None:
    """Continue an interrupted run with the settings it was started with.

    Finished steps are not repeated. --set changes a setting, for example an unreachable model:
    --set planner=offline
    """
    from backtrail.cli.commands.ask import show_outcome
    from backtrail.cli.commands.run_graph import carry_out
    from backtrail.cli.show.console import err

    async def work(progress: Progress) -> tuple[Run, dict[str, Any], bool]:
        return await _resume(thread, assignments or [], reply, progress)

    run, values, was_finished = carry_out(work, shown=not as_json, trail=trail)
    if was_finished and not as_json:
        err.print(f"[yellow]Thread {run.thread} has already finished; this is its answer.[/]", soft_wrap=True)
    show_outcome(run, values, as_json=as_json, trail=trail)


async def _resume(
    thread: str, assignments: list[str], reply: str | None, progress: Progress
) -> tuple[Run, dict[str, Any], bool]:
    from langgraph.types import Command

    from backtrail.cli.commands.run_graph import check_dependencies, compiled, drive
    from backtrail.cli.commands.stored_run import stored_run
    from backtrail.cli.show.human_input import prompt_for_reply
    from backtrail.tools.checkpoints.history import thread_config
    from backtrail.tools.checkpoints.open import open_checkpoints
    from backtrail.tools.errors import SettingsError

    async with open_checkpoints() as saver:
        run = await stored_run(saver, thread, assignments)
        graph = compiled(run, progress.toolbox, saver)
        state = await graph.aget_state(thread_config(run.thread))
        if not state.tasks:  # `next` omits finished branches even if their step is not finished
            return run, dict(state.values), True
        check_dependencies(run, progress.toolbox)
        if reply is not None and not state.interrupts:
            raise SettingsError(f"Thread {run.thread} does not wait for a reply: leave out --reply.")
        answer = reply if reply is not None else prompt_for_reply(state, run.thread, shown=progress.shown)
        if state.interrupts and answer is None:
            return run, dict(state.values), False
        return run, await drive(graph, run, None if answer is None else Command(resume=answer), progress), False
