"""``GET /metrics`` for Prometheus.

It requires a key like every other route; Prometheus sends one with ``authorization: {credentials: KEY}``.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from backtrail.tools.observability import spans
from backtrail.tools.observability.logs import Lines
from backtrail.tools.observability.observers import observe

if TYPE_CHECKING:
    from starlette.types import Scope


PATH, SHOWN_AT = "/metrics/runs", "/metrics"
"""LangGraph's server has its own metrics at the second, without a key: requests for them get ours."""


def ours(scope: Scope, path: str) -> Scope:
    """Redirect requests for metrics to our route."""
    return {**scope, "path": PATH, "raw_path": PATH.encode()} if path == SHOWN_AT else scope


@cache
def observe_runs() -> None:
    """Report the runs of this process to the log and, if configured, to Prometheus and OpenTelemetry.

    Raises:
        DependencyMissing: spans are configured without the extra ``tracing``.
    """
    logging.getLogger("backtrail").setLevel(logging.INFO)
    observe(Lines())
    try:
        from backtrail.tools.observability.metrics import Figures
    except ModuleNotFoundError:
        logging.getLogger(__name__).warning("No /metrics: prometheus-client is not installed (backtrail[server])")
    else:
        observe(Figures())
    if spans.wanted():
        observe(spans.Spans())


async def metrics(request: Request) -> Response:
    """Return the metrics."""
    try:
        from backtrail.tools.observability.metrics import CONTENT_TYPE, exposition
    except ModuleNotFoundError:
        return PlainTextResponse("prometheus-client is not installed here.", 501)
    return Response(await run_in_threadpool(exposition), media_type=CONTENT_TYPE)


ROUTES = [Route(PATH, metrics)]
