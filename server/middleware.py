"""Middleware of all routes: access without keys, limits of requests, MCP, and keys on pages.

``langgraph dev`` has routes for its own tests and for deploying from Studio (``/internal/…``, ``/deploy``) that need
no key and can show any thread, delete everything and start a process. The former are closed, the latter if there are
keys. Without keys a server answers only its own machine.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from langgraph_sdk import Auth
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from backtrail.server.auth import is_open, user_of
from backtrail.server.basic_auth import PAGES, asking, for_people, is_of_the_page, with_bearer
from backtrail.server.host_check import refusal
from backtrail.server.mcp_answers import MCP, WAITED, compact_answer, kept_run
from backtrail.server.mcp_corpus import with_meant_corpus
from backtrail.server.mcp_errors import OUTER, inner_answer, outer_answer
from backtrail.server.mcp_tools import lists_tools, own_answer, tools_for
from backtrail.server.metrics import ours
from backtrail.server.policy.rate_limit import too_fast
from backtrail.server.policy.refund_refused import refunding
from backtrail.server.public_address import notice_address
from backtrail.server.question_pictures import PICTURES
from backtrail.server.request_body import RequestBodyTooLarge, bounded, given_again, read_body
from backtrail.server.request_memory import MEMORY, RequestMemory, TooBusy, check_json, is_small
from backtrail.server.ui.hosted import NOT_FOUND, page_routes
from backtrail.server.uploading import is_upload
from backtrail.server.validate_requests import UNPROCESSABLE
from backtrail.server.validate_state_updates import check_readable, checked, reads
from backtrail.state.errors import InputRefused
from backtrail.state.limits import limits
from backtrail.tools.access.credentials import allowed_to
from backtrail.tools.errors import SettingsError
from backtrail.tools.home_errors import INSUFFICIENT_STORAGE, home_error

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOG = logging.getLogger(__name__)
_OF_TESTS, _OF_STUDIO = "internal", "deploy"
_FILES = (PICTURES, "/corpora/")
"""Routes that take files instead of JSON, as forms of the page do."""
_WITHIN = "/noauth"  # the server's calls to itself; no request can set its root path


class Gate:
    """Middleware that refuses forbidden and oversized requests and has browsers prompt for a key on pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._page = Starlette(routes=page_routes(), exception_handlers=NOT_FOUND)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless it is forbidden, for a closed route or too large.

        If the home cannot be written, for example on a full disk, the response says so.
        """
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._passed(scope, receive, sending)
        except Exception as error:
            trouble = await asyncio.to_thread(home_error, error) if scope["type"] == "http" and not started else None
            if trouble is None:
                raise
            _LOG.error("%s %s failed: %s", scope["method"], scope["path"], trouble)
            if _is_within(scope.get("root_path", "")):
                send = inner_answer(scope["path"].removeprefix(scope["root_path"]), send)
            await JSONResponse({"detail": str(trouble)}, INSUFFICIENT_STORAGE)(scope, receive, send)

    async def _passed(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        send = refunding(scope, send)
        if scope["type"] == "lifespan" or _is_within(scope.get("root_path", "")):
            await self._within(scope, receive, send, path)
            return
        notice_address(scope)
        if problem := await _problem(scope, path.strip("/").partition("/")[0]):
            await _refuse(problem, scope, receive, send)
            return
        if path.startswith(PAGES):
            scope = with_bearer(scope, path)
        scope = ours(scope, path)
        if slowed := await _slowed(scope):
            await slowed(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._answer(scope, bounded(receive, send, limits().request, check_json), send, path)
            return
        if is_upload(scope["method"], path):
            await self._answer(scope, receive, send, path)
            return
        with MEMORY.one() as holding:
            try:
                body = await _body(scope, receive, path, holding)
                receive = given_again(body, receive)
            except (RequestBodyTooLarge, TooBusy) as error:
                await error.response()(scope, receive, send)
                return
            except InputRefused as error:
                await JSONResponse({"detail": str(error)}, UNPROCESSABLE)(scope, receive, send)
                return
            await self._answer(scope, receive, send, path, body)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, path: str, body: bytes = b"") -> None:
        """Answer an accepted request."""
        if path.rstrip("/") == MCP and scope["type"] == "http":
            answered, changes, body = await _of_mcp(scope, body)
            if answered:
                await answered(scope, receive, send)
                return
            receive = given_again(body, receive)
            send = compact_answer(outer_answer(send), changes)
        elif path.startswith(OUTER):
            send = outer_answer(send)
        if path in ("", "/") and for_people(scope):
            await RedirectResponse("/ui")(scope, receive, send)
            return
        if is_of_the_page(path):  # it checks keys itself: LangGraph's server requires none below /ui
            await self._page(scope, receive, send)
            return
        await self._app(scope, receive, asking(send) if path.startswith(PAGES) else send)

    async def _within(self, scope: Scope, receive: Receive, send: Send, path: str) -> None:
        """Pass on a call by the server itself."""
        if scope["type"] == "http":
            send = inner_answer(path, send)
            if path == WAITED:
                receive = given_again(kept_run(await read_body(scope, receive, limits().request)), receive)
        await self._app(scope, receive, send)


async def _slowed(scope: Scope) -> Response | None:
    try:
        return await too_fast(dict(scope["headers"])) if scope["type"] == "http" else None
    except SettingsError:
        return None  # refused later: unreadable keys admit nobody


async def _of_mcp(
    scope: Scope, body: bytes
) -> tuple[Response | None, Callable[[bytes], Coroutine[Any, Any, bytes]] | None, bytes]:
    """Return a response without a run, a change of the server's response, and the body for the server."""
    try:
        user = await user_of(dict(scope["headers"]))
    except (Auth.exceptions.HTTPException, SettingsError):
        return None, None, body  # the server refuses them
    name = str(user["identity"])
    if response := await asyncio.to_thread(own_answer, body, lambda: allowed_to(name)):
        return JSONResponse(response), None, body
    if lists_tools(body):
        return None, lambda listed: asyncio.to_thread(lambda: tools_for(listed, allowed_to(name))), body
    body, response = await asyncio.to_thread(lambda: with_meant_corpus(body, allowed_to(name)))
    return (JSONResponse(response) if response else None), None, body


async def _body(scope: Scope, receive: Receive, path: str, holding: RequestMemory) -> bytes:
    """Read and check the body of a request."""
    body = await read_body(scope, receive, limits().request, holding)
    if not body or is_of_the_page(path) or path.startswith(_FILES):
        return body
    if not is_small(body):
        await asyncio.to_thread(check_json, body)
    if reads(scope["method"], path):
        return await asyncio.to_thread(checked, path, body)
    await asyncio.to_thread(check_readable, body)
    return body


def _is_within(root: str) -> bool:
    return root == _WITHIN or root.startswith(f"{_WITHIN}/")


async def _problem(scope: Scope, first: str) -> str:
    """Return why a request is refused, by the first part of its path; empty if it is not."""
    try:
        without_keys = await is_open()
    except SettingsError:
        without_keys = False  # unreadable keys admit nobody
    if first == _OF_TESTS or (first == _OF_STUDIO and not without_keys):
        return "This route is closed."
    return refusal(scope) if without_keys else ""


async def _refuse(problem: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": problem[:120]})
    else:
        await PlainTextResponse(problem, 403)(scope, receive, send)
