"""Engine that runs on the LangGraph server over its own API, in the visitor's name.

Keys, limits and policy apply as to every client, and the server handles queues, crashes and processes. The engine has
no state.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError, NotFoundError, UnprocessableEntityError

from backtrail.cli.commands.fork import forked_run
from backtrail.cli.commands.stored_run import stored_run
from backtrail.cli.show.trace_record import read_trace
from backtrail.graphs.serving.ingest import NAME
from backtrail.server.ui.engine.protocol import Asked, Moment
from backtrail.server.ui.engine.run_progress import HOSTED_STREAMS, RunProgress
from backtrail.state.settings import Settings
from backtrail.tools.access.own_server import UNREACHED
from backtrail.tools.access.thread_owner import delete_owned
from backtrail.tools.checkpoints.history import FORKED_AT, FORKED_FROM, settings_of_run
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.errors import BacktrailError, SettingsError
from backtrail.tools.toolbox import Toolbox

_log = logging.getLogger(__name__)

_GOING_ON = ("pending", "running")
_BEGUN: Mapping[str, Any] = {
    "durability": "sync", "multitask_strategy": "reject", "stream_mode": list(HOSTED_STREAMS), "stream_resumable": True,
}  # fmt: skip


class RunRefused(BacktrailError):
    """The server refused a request of the page."""


class Unreachable(BacktrailError):
    """The server does not answer at its own address."""


@contextmanager
def _as_errors() -> Iterator[None]:
    """Convert refusals of the server to errors with its message."""
    try:
        yield
    except APIStatusError as error:
        detail = error.body.get("detail") if isinstance(error.body, dict) else None
        raise RunRefused(str(detail or error.message)) from error
    except UNREACHED as error:
        raise Unreachable(f"The server cannot reach its own API: {error}") from error


@dataclass(frozen=True)
class HostedEngine:
    """Engine over the server's own API; implements ``Engine``."""

    client: LangGraphClient

    async def ask(self, asked: Asked) -> str:
        """Start a run."""
        thread = asked.thread or str(uuid.uuid4())
        given = {"question": asked.question, "image": asked.image}
        await self._begin(thread, asked.method, asked.settings, given)
        return thread

    async def resume(self, thread: str, reply: Any = None) -> None:
        """Resume a run, with a reply if it waits for one."""
        async with open_checkpoints() as saver:
            run = await stored_run(saver, thread)
        await self._begin(run.thread, run.method, run.settings, None, run.origin, reply)

    async def fork(self, thread: str, at: str, assignments: Sequence[str]) -> str:
        """Run again from a step or node."""
        async with open_checkpoints() as saver:
            run, _ = await forked_run(saver, thread, at, assignments, Toolbox())
        await self._begin(run.thread, run.method, run.settings, None, run.origin)
        return run.thread

    async def begin_ingest(self, corpus: str) -> None:
        """Start a run that ingests the uploaded files of a corpus."""
        with _as_errors():
            thread = await self.client.threads.create()
            await self.client.runs.create(thread["thread_id"], NAME, input={"corpus": corpus}, durability="sync")

    async def _begin(
        self,
        thread: str,
        method: str,
        settings: Settings,
        given: Any,
        origin: Mapping[str, Any] | None = None,
        reply: Any = None,
    ) -> None:
        kept = {key: value for key, value in (origin or {}).items() if key in (FORKED_FROM, FORKED_AT)}
        with _as_errors():
            await self.client.threads.create(thread_id=thread, if_exists="do_nothing")
            await self.client.runs.create(
                thread,
                method,
                input=given,
                command=None if reply is None else {"resume": reply},
                context=settings.model_dump(exclude_defaults=True),
                metadata=kept,
                **_BEGUN,
            )

    async def stop(self, thread: str) -> None:
        """Cancel the run of a thread."""
        run = await self._latest(thread)
        if run is not None and run["status"] in _GOING_ON:
            with _as_errors():
                await self.client.runs.cancel(thread, run["run_id"], wait=True)

    async def delete(self, thread: str, owner: str) -> None:
        """Stop and delete the runs of a thread, on the server and in the checkpoints."""
        await self.stop(thread)
        with _as_errors(), suppress(NotFoundError):  # the server forgot it
            await self.client.threads.delete(thread)
        await delete_owned(thread, owner)

    async def moment(self, thread: str) -> Moment | None:
        """Return the current moment of a run."""
        run = await self._latest(thread)
        if run is None or run["status"] not in (*_GOING_ON, "error", "timeout"):
            return None
        if run["status"] in _GOING_ON:
            return (await self._growing(thread, run)).moment
        with _as_errors():
            thread_state: Any = await self.client.threads.get(thread)
        return Moment(*_begun_with(run), working=False, error=_problem(thread_state) or "The run failed.")

    async def follow(self, thread: str) -> AsyncIterator[Moment]:
        """Yield each new moment of a run."""
        run = await self._latest(thread)
        if run is None or run["status"] not in _GOING_ON:
            return
        growing = await self._growing(thread, run)
        yield growing.moment
        with _as_errors():
            async for part in self.client.runs.join_stream(thread, run["run_id"], stream_mode=list(HOSTED_STREAMS)):
                if growing.take(part.event, part.data):
                    yield growing.moment
        yield replace(growing.moment, working=False, nodes=())

    async def _latest(self, thread: str) -> Any:
        """Return the latest run of a thread; None if there is none or the visitor may not see it."""
        try:
            with _as_errors():
                runs = await self.client.runs.list(thread, limit=1)
        except RunRefused as error:
            if isinstance(error.__cause__, NotFoundError | UnprocessableEntityError):
                return None
            raise
        except Unreachable as error:
            _log.warning("Showing runs from their checkpoints only: %s", error)
            return None
        return runs[0] if runs else None

    async def _growing(self, thread: str, run: Any) -> RunProgress:
        """Return the progress of a running run from its checkpoints, or from its input if there are none yet."""
        method, settings, values = _begun_with(run)
        try:
            trace = await read_trace(thread)
        except SettingsError:
            return RunProgress(Moment(method, settings, values), begun=False)
        asked = values.get("question")
        if asked and trace.values.get("question") != asked and trace.finished:  # belongs to the previous question
            return RunProgress(Moment(method, settings, values), begun=False)
        return RunProgress(Moment(trace.method, trace.settings, trace.values, trace.next), begun=True)


def _begun_with(run: Any) -> tuple[str, Settings, Mapping[str, Any]]:
    """Return method, settings and question of a run as the server stores them."""
    kwargs: Any = run.get("kwargs") or {}
    metadata = {**(run.get("metadata") or {}), **(kwargs.get("context") or {})}
    try:
        settings = settings_of_run(metadata)
    except SettingsError:
        settings = Settings()
    asked = kwargs.get("input")
    return str(metadata.get("graph_id", "")), settings, asked if isinstance(asked, Mapping) else {}


def _problem(thread_state: Mapping[str, Any]) -> str:
    """Return the server's message on why the last run of a thread failed."""
    error = thread_state.get("error")
    if isinstance(error, Mapping):
        return ": ".join(str(error[key]) for key in ("error", "message") if error.get(key))
    return str(error or "")
