"""Routes that the server has beside LangGraph's own: pictures, a page that shows a run, what revoked holders left.

    /blobs/{sha256}?corpus=NAME    a picture of a corpus; without a corpus, one that came with a question
    /trace/{thread}                a run, hop by hop
    /revoked/{name}                for administrators (left_behind.py)

langgraph.json names this app under ``http.app``; ``enable_custom_route_auth`` beside it puts these routes behind the
same keys as the others. Corpora, and so their pictures, are for everyone with a key; a run is for whoever asked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from backtrail.server import left_behind
from backtrail.server.auth import is_open
from backtrail.server.gate import Gate
from backtrail.server.paths import without_paths
from backtrail.server.revoked import watching
from backtrail.state.errors import read_by_others
from backtrail.tools.errors import BacktrailError

MONTH = 30 * 24 * 3600
GUARDS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
}


def _picture(sha256: str, corpus: str | None) -> bytes:
    """A stored picture; KeyError when it is not held. Reads files, so it runs in a thread."""
    from backtrail.tools.corpus.blobs import BlobStore
    from backtrail.tools.home import corpus_folder, home

    return BlobStore(corpus_folder(corpus) if corpus else home()).read(sha256)


async def blob(request: Request) -> Response:
    """A picture. Its address is its content, so it may be kept by the browser for good."""
    from backtrail.nodes.reading.pictures import mime_of

    sha256 = request.path_params["sha256"]
    try:
        content = await run_in_threadpool(_picture, sha256, request.query_params.get("corpus"))
    except (KeyError, BacktrailError):
        return PlainTextResponse("There is no such picture.", 404)
    kept = {"Cache-Control": f"private, max-age={MONTH}, immutable"}
    return Response(content, media_type=mime_of(content), headers={**GUARDS, **kept})


async def trace(request: Request) -> Response:
    """The run on a thread as a page; on a server with keys, for whoever asked."""
    from backtrail.cli.show.trace_page import trace_page
    from backtrail.cli.show.trace_record import read_trace

    thread = request.path_params["thread"]
    try:
        if not await _may_read(request, thread):
            return PlainTextResponse("There is no such run.", 404)
        read = await read_trace(thread)
        return HTMLResponse(await run_in_threadpool(trace_page, read), headers=GUARDS)
    except BacktrailError as error:
        return PlainTextResponse(str(error), 404)


async def _may_read(request: Request, thread: str) -> bool:
    from backtrail.tools.access.thread_owner import has_run

    return await is_open() or await has_run(thread, request.user.identity)


@asynccontextmanager
async def _start(_app: Starlette) -> AsyncIterator[None]:
    """Read the keys before the first request: a server whose file of keys cannot be read does not start.

    While it runs, the work of holders whose key is taken away is stopped, and errors are told without paths.
    """
    await is_open()
    with read_by_others(without_paths):
        async with watching():
            yield


app = Starlette(
    routes=[Route("/blobs/{sha256}", blob), Route("/trace/{thread}", trace), *left_behind.ROUTES],
    middleware=[Middleware(Gate)],
    lifespan=_start,
)
