"""Runs of the LangGraph server that the page is part of, asked for over its own API in the name of whoever asks.

What keys, limits and rules allow is decided where it is for every client; queues, crashes and several processes are
the server's. Nothing is kept here.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError, NotFoundError, UnprocessableEntityError

from backtrail.cli.commands.fork import branched
from backtrail.cli.commands.stored_run import stored_run
from backtrail.cli.show.trace_record import read_trace
from backtrail.graphs.serving.ingest import NAME
from backtrail.server.ui.engine.protocol import Asked, Moment
from backtrail.server.ui.engine.run_progress import HOSTED_STREAMS, RunProgress
from backtrail.state.settings import Settings
from backtrail.tools.access.own_server import UNREACHED
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
    """The server refused what the page asked of it."""


class Unreachable(BacktrailError):
    """The server does not answer at the address that it was asked at."""


@contextmanager
def _told() -> Iterator[None]:
    """Refusals of the server, as errors with its sentence."""
    try:
        yield
    except APIStatusError as error:
        detail = error.body.get("detail") if isinstance(error.body, dict) else None
        raise RunRefused(str(detail or error.message)) from error
    except UNREACHED as error:
        raise Unreachable(f"The server cannot be reached from within: {error}") from error


@dataclass(frozen=True)
class HostedEngine:
    """Carries out runs by the server's own API; implements ``Engine``."""

    client: LangGraphClient

    async def ask(self, asked: Asked) -> str:
        """Begin a run."""
        thread = asked.thread or str(uuid.uuid4())
        given = {"question": asked.question, "image": asked.image}
        await self._begin(thread, asked.method, asked.settings, given)
        return thread

    async def resume(self, thread: str, reply: Any = None) -> None:
        """Go on with a run, with the reply to what it asks."""
        async with open_checkpoints() as saver:
            run = await stored_run(saver, thread)
        await self._begin(run.thread, run.method, run.settings, None, run.origin, reply)

    async def fork(self, thread: str, at: str, assignments: Sequence[str]) -> str:
        """Run again from a step or node."""
        async with open_checkpoints() as saver:
            run, _ = await branched(saver, thread, at, assignments, Toolbox())
        await self._begin(run.thread, run.method, run.settings, None, run.origin)
        return run.thread

    async def begin_ingest(self, corpus: str) -> None:
        """Begin a run that ingests the files that were brought for a corpus."""
        with _told():
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
        with _told():
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
        """End the work on a thread."""
        run = await self._latest(thread)
        if run is not None and run["status"] in _GOING_ON:
            with _told():
                await self.client.runs.cancel(thread, run["run_id"], wait=True)

    async def moment(self, thread: str) -> Moment | None:
        """Where the run stands."""
        run = await self._latest(thread)
        if run is None or run["status"] not in (*_GOING_ON, "error", "timeout"):
            return None
        if run["status"] in _GOING_ON:
            return (await self._growing(thread, run)).moment
        with _told():
            held: Any = await self.client.threads.get(thread)
        return Moment(*_begun_with(run), working=False, error=_problem(held) or "It failed.")

    async def follow(self, thread: str) -> AsyncIterator[Moment]:
        """Each new moment of a run."""
        run = await self._latest(thread)
        if run is None or run["status"] not in _GOING_ON:
            return
        growing = await self._growing(thread, run)
        yield growing.moment
        with _told():
            async for part in self.client.runs.join_stream(thread, run["run_id"], stream_mode=list(HOSTED_STREAMS)):
                if growing.take(part.event, part.data):
                    yield growing.moment
        yield replace(growing.moment, working=False, nodes=())

    async def _latest(self, thread: str) -> Any:
        """The run that was begun last on a thread; None where there is none, or it is not for whoever asks."""
        try:
            with _told():
                runs = await self.client.runs.list(thread, limit=1)
        except RunRefused as error:
            if isinstance(error.__cause__, NotFoundError | UnprocessableEntityError):
                return None
            raise
        except Unreachable as error:
            _log.warning("Runs are shown as their checkpoints have them. %s", error)
            return None
        return runs[0] if runs else None

    async def _growing(self, thread: str, run: Any) -> RunProgress:
        """What the checkpoints say of a run that is at work; of one without any yet, what it was asked."""
        method, settings, values = _begun_with(run)
        try:
            trace = await read_trace(thread)
        except SettingsError:
            return RunProgress(Moment(method, settings, values), begun=False)
        asked = values.get("question")
        if asked and trace.values.get("question") != asked and trace.finished:  # of the question before
            return RunProgress(Moment(method, settings, values), begun=False)
        return RunProgress(Moment(trace.method, trace.settings, trace.values, trace.next), begun=True)


def _begun_with(run: Any) -> tuple[str, Settings, Mapping[str, Any]]:
    """Method, settings and question of a run, as the server keeps them."""
    kwargs: Any = run.get("kwargs") or {}
    metadata = {**(run.get("metadata") or {}), **(kwargs.get("context") or {})}
    try:
        settings = settings_of_run(metadata)
    except SettingsError:
        settings = Settings()
    asked = kwargs.get("input")
    return str(metadata.get("graph_id", "")), settings, asked if isinstance(asked, Mapping) else {}


def _problem(held: Mapping[str, Any]) -> str:
    """Why the last run of a thread failed, in the server's words."""
    error = held.get("error")
    if isinstance(error, Mapping):
        return ": ".join(str(error[key]) for key in ("error", "message") if error.get(key))
    return str(error or "")
