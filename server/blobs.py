"""Route of pictures of corpora and questions."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from backtrail.server import corpora, question_pictures
from backtrail.tools.errors import BacktrailError

MONTH = 30 * 24 * 3600
GUARDS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-site",  # for a chat on another port of this machine
}
"""Headers that keep a browser from running anything in a stored file."""


def _picture(sha256: str, corpus: str | None) -> bytes:
    """Read a stored picture. Raises KeyError if missing. Blocking."""
    from backtrail.tools.corpus.blobs import BlobStore
    from backtrail.tools.home import corpus_folder, home

    return BlobStore(corpus_folder(corpus) if corpus else home()).read(sha256)


async def _may_see(request: Request, sha256: str, corpus: str | None) -> bool:
    return await (corpora.may_read_from(request, corpus) if corpus else question_pictures.may_see(request, sha256))


async def blob(request: Request) -> Response:
    """Return a picture. Its address depends on its content, so browsers may cache it."""
    from backtrail.nodes.reading.pictures import mime_of

    sha256, corpus = request.path_params["sha256"], request.query_params.get("corpus")
    try:
        # the local page has no users and may show everything
        if "user" in request.scope and not await _may_see(request, sha256, corpus):
            raise KeyError(sha256)
        content = await run_in_threadpool(_picture, sha256, corpus)
    except (KeyError, BacktrailError):
        return PlainTextResponse("There is no such picture.", 404)
    kept = {"Cache-Control": f"private, max-age={MONTH}, immutable"}
    return Response(content, media_type=mime_of(content), headers={**GUARDS, **kept})
