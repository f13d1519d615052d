"""Routes of the page for any host."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from mimetypes import guess_type

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from backtrail.server.ui import answers, ask, compare, corpora, deleting, ingest, models, pdf_pages, run_list, runs
from backtrail.server.ui.host import Host
from backtrail.server.ui.pages import Handler, NoSuchPage, served_by

Handlers = Mapping[tuple[str, str], Handler]
"""Handlers by verb and path."""

_ROOMS: tuple[Handlers, ...] = (
    ask.HANDLERS, run_list.HANDLERS, runs.HANDLERS, compare.HANDLERS, corpora.HANDLERS, pdf_pages.HANDLERS,
    ingest.HANDLERS, deleting.HANDLERS, answers.HANDLERS, models.HANDLERS,
)  # fmt: skip
_STATIC = ("/ui/static/{asset}", "/ui/static/fonts/{font}")
_KINDS = {".css": "text/css", ".js": "text/javascript", ".woff2": "font/woff2", ".svg": "image/svg+xml"}


def ui_routes(host: Host, public: Handlers | None = None) -> list[Route]:
    """Return the routes of the page on a host.

    Args:
        public: the host's handlers without sign-in.
    """
    open_to_all = {**(public or {}), **{("GET", path): static for path in _STATIC}}
    handlers = {way: handler for room in _ROOMS for way, handler in room.items()}
    routes = [(way, served_by(host, handler, public=True)) for way, handler in open_to_all.items()]
    routes += [(way, served_by(host, handler)) for way, handler in handlers.items()]
    return [Route(path, handler, methods=[verb]) for (verb, path), handler in routes]


def not_found(host: Host) -> dict[int, Callable[[Request, Exception], Awaitable[Response]]]:
    """Return the exception handler of an application that shows the page's error for unknown addresses."""

    async def missing(request: Request) -> Response:
        raise NoSuchPage

    serve = served_by(host, missing)

    async def answer(request: Request, error: Exception) -> Response:
        return await serve(request)

    return {404: answer}


async def static(request: Request) -> Response:
    """Return a script, style or font from the package's folder ``static``."""
    file = next(iter(request.path_params.values()))
    content = await run_in_threadpool(_content, ("fonts", file) if "font" in request.path_params else (file,))
    if content is None:
        raise NoSuchPage
    kind = _KINDS.get(file[file.rfind(".") :]) or guess_type(file)[0] or "application/octet-stream"
    return Response(content, media_type=kind, headers={"Cache-Control": "public, max-age=3600"})


def _content(parts: tuple[str, ...]) -> bytes | None:
    if any(part.startswith(".") or "\\" in part for part in parts):
        return None
    file = files("backtrail.server.ui").joinpath("static", *parts)
    try:
        return file.read_bytes() if file.is_file() else None
    except (OSError, ValueError):  # an invalid file name
        return None
