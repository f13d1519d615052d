"""Routes added to LangGraph's server: pictures, corpora, the page and data of revoked holders.

    /blobs/{sha256}?corpus=NAME    a picture of a corpus; without a corpus, a picture of a question
    /pictures                      upload of pictures for questions (question_pictures.py)
    /trace/{thread}                stable address of a run on the page
    /ui/…                          the page (ui/), answered by middleware.py before routing
    /revoked/{name}                for administrators (revoked_data.py)

langgraph.json names this app under ``http.app``; with ``enable_custom_route_auth`` these routes require the same keys
as the others. The policy decides who may read a corpus and its pictures; a run belongs to its asker.
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
from backtrail.state.errors import filter_error_texts


@asynccontextmanager
async def _start(_app: Starlette) -> AsyncIterator[None]:
    """Read the keys before the first request, so that a server with an unreadable key file does not start.

    Until shutdown, stop the work of revoked holders and remove paths from clients' errors.
    """
    await is_open()
    metrics.observe_runs()
    with filter_error_texts(without_paths):
        async with watching(), following_policy():
            if ready := os.environ.get("BACKTRAIL_SAYS_READY"):  # set by `backtrail serve`, which hides the log
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
"""Routes of every server."""

app = Starlette(
    routes=[*ROUTES, *revoked_data.ROUTES, *page_routes()],
    middleware=[Middleware(Gate)],
    lifespan=_start,
)
