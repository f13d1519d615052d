"""Routes that the server has beside LangGraph's own: pictures, a page that shows a run, what revoked holders left.

    /blobs/{sha256}?corpus=NAME    a picture of a corpus; without a corpus, one that came with a question
    /pictures                      where pictures are stored to be asked about (question_pictures.py)
    /trace/{thread}                a run on the page, at an address to hand on that does not depend on how it is built
    /ui/…                          the page for people (ui/); it is answered before any route, by gate.py
    /revoked/{name}                for administrators (revoked_data.py)

langgraph.json names this app under ``http.app``; ``enable_custom_route_auth`` beside it puts these routes behind the
same keys as the others. Corpora, and so their pictures, are for whom the policy lets read them; a run is for whoever
asked.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from backtrail.server import corpora, metrics, question_pictures, revoked_data
from backtrail.server.auth import is_open
from backtrail.server.blobs import blob
from backtrail.server.middleware import Gate
from backtrail.server.paths import without_paths
from backtrail.server.policy.reload import following_policy
from backtrail.server.stop_revoked import watching
from backtrail.server.ui.hosted import RUN, page_routes
from backtrail.state.errors import read_by_others


@asynccontextmanager
async def _start(_app: Starlette) -> AsyncIterator[None]:
    """Read the keys before the first request: a server whose file of keys cannot be read does not start.

    While it runs, the work of holders whose key is taken away is stopped, and errors are told without paths.
    """
    await is_open()
    metrics.observe_runs()
    with read_by_others(without_paths):
        async with watching(), following_policy():
            if ready := os.environ.get("BACKTRAIL_SAYS_READY"):  # of `backtrail serve`, where little else is said
                sys.stderr.write(f"{ready}\n")
                sys.stderr.flush()
            yield


ROUTES: list[BaseRoute] = [
    Route("/blobs/{sha256}", blob),
    Route("/trace/{thread}", RUN),
    *question_pictures.ROUTES,
    *corpora.ROUTES,
    *metrics.ROUTES,
]
"""Those that every server has."""

app = Starlette(
    routes=[*ROUTES, *revoked_data.ROUTES, *page_routes()],
    middleware=[Middleware(Gate)],
    lifespan=_start,
)
