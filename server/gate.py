"""What stands before all routes of the server.

Requests that are larger than the limit end here, before anything is made of them.

``langgraph dev`` has routes for its own tests and for deploying from Studio (``/internal/…``, ``/deploy``), which ask
for no key: they show any thread, remove everything, and start a process. With keys configured they are closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse

from backtrail.server.auth import PAGES, is_open
from backtrail.server.body import BodyTooLarge, given_again, read_body
from backtrail.state.limits import limits

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_CLOSED = ("internal", "deploy")


class Gate:
    """Middleware that bounds requests, closes the routes without authentication, and lets browsers ask for a key."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless it is for a closed route or too large."""
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        if scope["type"] == "http" and path.strip("/").partition("/")[0] in _CLOSED and not await is_open():
            await PlainTextResponse("This route is closed on a server with keys.", 403)(scope, receive, send)
            return
        if scope["type"] == "http":
            try:
                receive = given_again(await read_body(scope, receive, limits().request), receive)
            except BodyTooLarge as error:
                await error.response()(scope, receive, send)
                return
        await self._app(scope, receive, _asking(send) if path.startswith(PAGES) else send)


def _asking(send: Send) -> Send:
    """Add to a refusal for want of a key what makes a browser ask for name and key."""

    async def asking(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 401:
            MutableHeaders(scope=message)["WWW-Authenticate"] = 'Basic realm="backtrail"'
        await send(message)

    return asking
