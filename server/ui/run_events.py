"""Server-sent events of a run: its active nodes and its trace so far.

Events contain whole parts of the page, never differences, so that a page opened late, reloaded or disconnected shows
the same as one that received all events.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from backtrail.server.ui.engine.protocol import Engine, Moment
from backtrail.server.ui.load_run import run_on, trace_at
from backtrail.server.ui.pages import host_of
from backtrail.server.ui.run_html import RunState, status_html, trail_html, words_html

BETWEEN = 0.15
"""Minimum seconds between two events (ours)."""

PING = 15
"""Seconds between pings that keep a quiet stream alive."""


async def live(request: Request) -> Response:
    """Stream the events of a run; a run that is not running ends at once."""
    thread = request.path_params["thread"]
    await run_on(request, thread)  # for its checks
    engine = await host_of(request).engine(request)
    return EventSourceResponse(_events(engine, thread), ping=PING, headers={"Cache-Control": "no-store"})


async def _events(engine: Engine, thread: str) -> AsyncIterator[ServerSentEvent]:
    sent: dict[str, str] = {}
    before: Moment | None = None
    async for moment in engine.follow(thread):
        if not moment.working:
            break
        parts = await run_in_threadpool(_parts, thread, moment, before)
        before = moment
        changed = {name: html for name, html in parts.items() if sent.get(name) != html}
        if changed:
            sent.update(changed)
            yield ServerSentEvent(json.dumps(changed), event="moment")
        await asyncio.sleep(BETWEEN)
    yield ServerSentEvent("", event="end")


def _parts(thread: str, moment: Moment, before: Moment | None) -> dict[str, str]:
    """Return the parts that may have changed; while an answer is written, only its text."""
    words = {"words": words_html(moment.answer_text)}
    if before is not None and moment.values is before.values and moment.nodes == before.nodes:
        return words
    trace, run = trace_at(thread, moment), RunState(working=True, nodes=moment.nodes)
    return {"status": status_html(trace, run), "trail": trail_html(trace, run), **words}
