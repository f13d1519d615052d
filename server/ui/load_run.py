"""Load a run for the page, from the engine while it is running, else from its checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from backtrail.cli.show.titles import Titles
from backtrail.cli.show.trace_record import Trace, read_trace
from backtrail.server.ui.engine.protocol import Moment
from backtrail.server.ui.pages import NoSuchPage, host_of, visitor_of
from backtrail.tools.access.thread_owner import has_run
from backtrail.tools.errors import SettingsError
from backtrail.tools.toolbox import Toolbox

NO_RUN = "There is no such run."


async def check_may_read(request: Request, thread: str) -> None:
    """Refuse another visitor's run as if it did not exist.

    Raises:
        NoSuchPage: the run is not the visitor's.
    """
    visitor = visitor_of(request)
    if visitor and not await has_run(thread, visitor):
        raise NoSuchPage(NO_RUN)


async def run_on(request: Request, thread: str) -> tuple[Trace, Moment | None]:
    """Return the run of a thread's latest question, and its engine's moment if there is one.

    Raises:
        NoSuchPage: no such thread, or another visitor's.
    """
    moment = await (await host_of(request).engine(request)).moment(thread)
    if moment is not None and moment.working:
        return trace_at(thread, moment), moment
    await check_may_read(request, thread)
    try:
        return await read_trace(thread), moment
    except SettingsError as error:
        if moment is not None:
            return trace_at(thread, moment), moment  # the run failed before its first checkpoint
        raise NoSuchPage(NO_RUN if visitor_of(request) else str(error)) from error


def trace_at(thread: str, moment: Moment) -> Trace:
    """Convert the moment of a running run to a trace without fork points."""
    toolbox = Toolbox()
    titles = Titles(lambda: toolbox.contents(moment.settings))
    evidence = moment.values.get("evidence")
    if isinstance(evidence, Mapping):
        titles.note(evidence)
    values: dict[str, Any] = dict(moment.values)
    return Trace(thread, moment.method, moment.settings, values, moment.nodes or ("…",), titles)
