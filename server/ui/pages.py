"""Pages from autoescaping templates, and the wrapper of all handlers."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FunctionLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from backtrail.language.counted_nouns import counted
from backtrail.nodes.reading.citation_locations import place, titled
from backtrail.server.ui.guards import FIELD, FormRefused, check_origin, guard, token_of
from backtrail.server.ui.host import Host
from backtrail.state.errors import BacktrailError
from backtrail.tools.home_errors import INSUFFICIENT_STORAGE, home_error

_log = logging.getLogger(__name__)

SHORT = 160
"""Maximum number of characters of an answer in a list (ours)."""

SIGN_IN = "/ui/sign-in"

Handler = Callable[[Request], Awaitable[Response]]


class NoSuchPage(Exception):
    """Nothing is at this address, or nothing that the visitor may see."""


def number_in(text: str) -> int:
    """Parse the number of a page or part, from 1; 1 if it is invalid."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 and int(text) else 1


def outcome(values: Mapping[str, Any]) -> str:
    """Summarise the answer to a question."""
    answer = values.get("answer")
    if not isinstance(answer, Mapping):
        return "no answer yet"
    text = str(answer.get("short") or answer.get("text", "")).partition("\n")[0]
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"


@cache
def templates() -> Environment:
    """Return the environment with the page's templates and those of the views of records."""
    rooms = (files("backtrail.server.ui") / "templates", files("backtrail.cli.show") / "records")

    def read(name: str) -> str | None:
        beside = (room / name for room in rooms)
        return next((file.read_text(encoding="utf-8") for file in beside if file.is_file()), None)

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, loader=FunctionLoader(read)
    )
    environment.globals.update(place=place, titled=titled, outcome=outcome, counted=counted)
    return environment


async def page(request: Request, template: str, status: int = 200, /, **shown: Any) -> Response:
    """Render a page, in a thread because a long run takes a while."""
    frame = {
        "token": token_of(request),
        "token_field": FIELD,
        "visitor": visitor_of(request),
        "alone": host_of(request).alone,
        "here": request.url.path,
    }
    html = await run_in_threadpool(templates().get_template(template).render, **frame, **shown)
    return HTMLResponse(html, status)


def host_of(request: Request) -> Host:
    """Return the host of this page."""
    host: Host = request.state.ui_host
    return host


def asked_to_sign_in(request: Request) -> Response:
    """Answer a request without a key: browsers are redirected to the sign-in, and back afterwards."""
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse("A key is needed.", 401)
    if request.method not in ("GET", "HEAD"):
        return RedirectResponse(SIGN_IN, 303)
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{SIGN_IN}?{urlencode({'next': request.url.path + query})}", 303)


def visitor_of(request: Request) -> str:
    """Return the visitor's name; empty without sign-in and on public pages."""
    name: str = request.state.visitor
    return name


def served_by(host: Host, handler: Handler, *, public: bool = False) -> Handler:
    """Wrap a handler with sign-in, host, security headers, and errors as pages.

    Args:
        public: no sign-in is needed.
    """

    async def serve(request: Request) -> Response:
        request.state.ui_host, request.state.visitor = host, ""
        try:
            if not public:
                visitor = await host.admit(request)
                if visitor is None:
                    return guard(request, asked_to_sign_in(request))
                request.state.visitor = visitor
            if request.method not in ("GET", "HEAD"):
                check_origin(request)
            answer = await handler(request)
        except FormRefused as error:
            answer = PlainTextResponse(str(error), 403)
        except NoSuchPage as error:
            answer = await page(request, "problem.html", 404, problem=str(error) or "There is nothing at this address.")
        except BacktrailError as error:
            answer = await page(request, "problem.html", 422, problem=str(error))
        except Exception as error:
            if (trouble := await run_in_threadpool(home_error, error)) is None:
                raise
            answer = await page(request, "problem.html", INSUFFICIENT_STORAGE, problem=str(trouble))
        return guard(request, answer)

    return serve
