"""What stands before all routes of the server.

Requests that are larger than the limit end here, before anything is made of them.

``langgraph dev`` has routes for its own tests and for deploying from Studio (``/internal/…``, ``/deploy``), which ask
for no key: they show any thread, remove everything, and start a process. The first are closed, the others with keys.
Without keys a server answers its own machine alone.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse

from backtrail.server.auth import PAGES, is_open
from backtrail.server.body import BodyTooLarge, bounded, given_again, read_body
from backtrail.server.incoming import UNPROCESSABLE
from backtrail.server.inner import OUTER, inner_answer, outer_answer
from backtrail.server.strangers import refusal
from backtrail.server.writing import checked, reads
from backtrail.state.errors import InputRefused
from backtrail.state.limits import limits
from backtrail.tools.errors import SettingsError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_OF_TESTS, _OF_STUDIO = "internal", "deploy"
_WITHIN = "/noauth"  # the server's calls to itself; no request can set its root path


class Gate:
    """Middleware that turns away who may not ask at all, bounds requests, and lets browsers ask for a key on pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless it is a stranger's, for a closed route or too large."""
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        if scope["type"] == "lifespan" or _is_within(scope.get("root_path", "")):
            await self._app(scope, receive, inner_answer(path, send) if scope["type"] == "http" else send)
            return
        if problem := await _problem(scope, path.strip("/").partition("/")[0]):
            await _refuse(problem, scope, receive, send)
            return
        if scope["type"] == "websocket":
            receive = bounded(receive, send, limits().request)
        else:
            try:
                receive = given_again(await _body(scope, receive, path), receive)
            except BodyTooLarge as error:
                await error.response()(scope, receive, send)
                return
            except InputRefused as error:
                await JSONResponse({"detail": str(error)}, UNPROCESSABLE)(scope, receive, send)
                return
        if path.startswith(OUTER):
            send = outer_answer(send)
        await self._app(scope, receive, _asking(send) if path.startswith(PAGES) else send)


async def _body(scope: Scope, receive: Receive, path: str) -> bytes:
    """What a request sends, if it may be used."""
    body = await read_body(scope, receive, limits().request)
    return await asyncio.to_thread(checked, path, body) if body and reads(scope["method"], path) else body


def _is_within(root: str) -> bool:
    return root == _WITHIN or root.startswith(f"{_WITHIN}/")


async def _problem(scope: Scope, first: str) -> str:
    """Why a request to a path that begins so is turned away; empty when it is not."""
    try:
        without_keys = await is_open()
    except SettingsError:
        without_keys = False  # keys that cannot be read let nobody in
    if first == _OF_TESTS or (first == _OF_STUDIO and not without_keys):
        return "This route is closed."
    return refusal(scope) if without_keys else ""


async def _refuse(problem: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": problem[:120]})
    else:
        await PlainTextResponse(problem, 403)(scope, receive, send)


def _asking(send: Send) -> Send:
    """Add to a refusal for want of a key what makes a browser ask for name and key."""

    async def asking(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 401:
            MutableHeaders(scope=message)["WWW-Authenticate"] = 'Basic realm="backtrail"'
        await send(message)

    return asking
