"""Engine that runs in this process, with the graphs, checkpoints and settings of the command line.

Runs of a closed or killed process can be resumed, here or on the command line.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from backtrail.cli.commands.fork import forked_run
from backtrail.cli.commands.run_graph import Run, check_dependencies, compiled
from backtrail.cli.commands.stored_run import stored_run
from backtrail.server.ui.engine.protocol import Asked, Moment
from backtrail.server.ui.engine.run_progress import STREAMS, RunProgress
from backtrail.state.question_input import check_input
from backtrail.tools.access.records.feedback import forget_feedback
from backtrail.tools.checkpoints.history import run_config, thread_config
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.crashes import crashes_as_errors
from backtrail.tools.errors import BacktrailError, SettingsError
from backtrail.tools.toolbox import Toolbox

_log = logging.getLogger(__name__)

AT_ONCE = 4
"""Maximum number of concurrent runs; others wait. A personal machine has few cores (ours)."""

KEPT = 50
"""Maximum number of failed runs whose errors are kept; results are in checkpoints anyway (ours)."""

UNSTARTED = "It was stopped before its first step"

Saver = BaseCheckpointSaver[str]
Begins = Mapping[str, Any] | Command[Any] | None
"""Input of a run: a question, a reply, or None to continue."""


class _Work:
    """Running run: its latest moment, and an event for the next."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def tell(self, moment: Moment) -> None:
        self.moment = moment
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def moments(self) -> AsyncIterator[Moment]:
        while True:
            seen, changed = self.moment, self._changed
            yield seen
            if not seen.working:
                return
            await changed.wait()


class LocalEngine:
    """Engine with runs as tasks of this process; implements ``Engine``."""

    def __init__(self, toolbox: Toolbox | None = None) -> None:
        self._toolbox = toolbox or Toolbox()
        self._works: dict[str, _Work] = {}
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def ask(self, asked: Asked) -> str:
        """Start a run."""
        given = {"question": asked.question, "image": asked.image}
        check_input(given)
        thread = asked.thread or str(uuid.uuid4())
        run = Run(thread, asked.method, asked.settings)
        await asyncio.to_thread(check_dependencies, run, self._toolbox)
        self._begin(run, given)
        return thread

    async def resume(self, thread: str, reply: Any = None) -> None:
        """Resume a run, with a reply if it waits for one; start it again if it ended before its first step."""
        before = self._works.get(thread)
        if before is not None and not await _has_checkpoint(thread):
            self._begin(Run(thread, before.moment.method, before.moment.settings), before.moment.values)
            return
        async with open_checkpoints() as saver:
            run = await stored_run(saver, thread)
        await asyncio.to_thread(check_dependencies, run, self._toolbox)
        self._begin(run, None if reply is None else Command(resume=reply))

    async def fork(self, thread: str, at: str, assignments: Sequence[str]) -> str:
        """Run again from a step or node."""
        async with open_checkpoints() as saver:
            run, _ = await forked_run(saver, thread, at, assignments, self._toolbox)
        self._begin(run, None)
        return run.thread

    async def stop(self, thread: str) -> None:
        """Cancel the run of a thread."""
        work = self._works.get(thread)
        if work is not None and work.task is not None:
            work.task.cancel()
            with suppress(asyncio.CancelledError):
                await work.task
            if work.moment.working:  # the task had not begun
                self._end(work, await _why_stopped(thread))

    async def delete(self, thread: str, owner: str) -> None:
        """Stop and delete the runs of a thread."""
        await self.stop(thread)
        self._works.pop(thread, None)
        async with open_checkpoints() as saver:
            await saver.adelete_thread(thread)
        await asyncio.to_thread(forget_feedback, thread)

    async def moment(self, thread: str) -> Moment | None:
        """Return the current moment of a run."""
        work = self._works.get(thread)
        return work.moment if work else None

    async def follow(self, thread: str) -> AsyncIterator[Moment]:
        """Yield each new moment of a run."""
        if work := self._works.get(thread):
            async for moment in work.moments():
                yield moment

    async def close(self) -> None:
        """Stop all runs."""
        for thread in list(self._works):
            await self.stop(thread)

    def _begin(self, run: Run, asked: Begins) -> None:
        before = self._works.get(run.thread)
        if before is not None and before.moment.working:
            raise SettingsError("A run is already working in this conversation. Wait for its answer, or stop it.")
        values = dict(asked) if isinstance(asked, Mapping) else {}
        work = _Work(Moment(run.method, run.settings, values=values))
        self._works[run.thread] = work
        work.task = asyncio.create_task(self._carry_out(run, asked, work), name=f"run {run.thread}")

    async def _carry_out(self, run: Run, asked: Begins, work: _Work) -> None:
        problem = ""
        try:
            async with self._turn, open_checkpoints() as saver:
                with crashes_as_errors():
                    await self._drive(run, asked, work, saver)
        except asyncio.CancelledError:
            problem = await _why_stopped(run.thread)
        except BacktrailError as error:
            problem = f"{type(error).__name__}: {error}"
        except Exception as error:  # noqa: BLE001 - every error is shown on the page
            _log.exception("The run on thread %s failed", run.thread)
            problem = f"{type(error).__name__}: {error}"
        self._end(work, problem)

    def _end(self, work: _Work, problem: str) -> None:
        work.tell(replace(work.moment, working=False, nodes=(), error=problem))
        self._forget()

    async def _drive(self, run: Run, asked: Begins, work: _Work, saver: Saver) -> None:
        graph = await asyncio.to_thread(compiled, run, self._toolbox, saver)
        config = run_config(run.thread, run.method, run.settings, run.origin)
        goes_on = not isinstance(asked, Mapping)
        growing = RunProgress(work.moment, begun=goes_on)
        if goes_on:
            growing.take("values", dict((await graph.aget_state(config)).values))
        # "sync": a step is on disk before the next begins, so that no finished call is repeated
        stream = graph.astream(
            dict(asked) if isinstance(asked, Mapping) else asked, config, context=run.settings,
            stream_mode=list(STREAMS), durability="sync",
        )  # fmt: skip
        async for mode, chunk in stream:
            if growing.take(str(mode), chunk):
                work.tell(growing.moment)

    def _forget(self) -> None:
        """Drop finished runs, which their checkpoints describe; keep the errors of failed ones for a while."""
        for thread in [thread for thread, work in self._works.items() if not work.moment.working]:
            if not self._works[thread].moment.error:
                del self._works[thread]
        failed = [thread for thread, work in self._works.items() if not work.moment.working]
        for thread in failed[: max(0, len(failed) - KEPT)]:
            del self._works[thread]


async def _why_stopped(thread: str) -> str:
    """Return nothing for a run that can be resumed, as finished steps are checkpointed."""
    return "" if await _has_checkpoint(thread) else UNSTARTED


async def _has_checkpoint(thread: str) -> bool:
    async with open_checkpoints() as saver:
        return await saver.aget_tuple(thread_config(thread)) is not None
