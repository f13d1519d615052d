"""Error messages for MCP and A2A clients.

The server answers both by calls to itself. For a failed run it returns the error's class name, and for a refused run
an internal error. Therefore inner answers carry the message in place of the name, and refusals are kept for the outer
answer.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import orjson

from backtrail.server.mcp_answers import collect

if TYPE_CHECKING:
    from starlette.types import Message, Send

OUTER = ("/mcp", "/a2a/")
"""Routes that the server answers by inner calls."""

_WAITED = "/runs/wait"  # MCP's inner route of a tool
_ERROR = b'{"__error__":'
_FAULT = b'"message":"Internal server error"'  # A2A's text for a refusal

_refused: ContextVar[list[str] | None] = ContextVar("refused", default=None)


def outer_answer(send: Send) -> Send:
    """Replace an internal error in the response to a client by the refusal, if there was one."""
    refused: list[str] = []
    _refused.set(refused)

    async def rewritten(message: Message) -> None:
        if message["type"] == "http.response.body" and refused and _FAULT in message.get("body", b""):
            sentence = b'"message":' + orjson.dumps(refused[-1])
            message = {**message, "body": message["body"].replace(_FAULT, sentence)}
        await send(message)

    return rewritten


def inner_answer(path: str, send: Send) -> Send:
    """Put the message into an inner response of a failed run, and keep that of a refused one."""
    start: Message | None = None

    async def rewritten(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            if message["status"] >= 400:
                start = message  # the length is known with the body
                return
        elif message["type"] == "http.response.body":
            body = message.get("body", b"")
            if start is not None:
                started, start = start, None
                body = _kept(path, started, body)
                await send({**started, "headers": _with_length(started, body)})
            elif body.startswith(_ERROR):
                body = _in_words(body)
            elif path.endswith(_WAITED):
                collect(body)
            message = {**message, "body": body}
        await send(message)

    return rewritten


def _kept(path: str, start: Message, body: bytes) -> bytes:
    """Store a refusal for the outer answer; for MCP convert it to a failed run."""
    sentence = _detail(body)
    if not sentence:
        return body
    if (refused := _refused.get()) is not None:
        refused.append(sentence)
    if path.endswith(_WAITED):
        start["status"] = 200
        return orjson.dumps({"__error__": {"error": sentence, "message": sentence}})
    return body


def _in_words(body: bytes) -> bytes:
    """Replace the name in an error by its message."""
    try:
        answer = orjson.loads(body)
        answer["__error__"]["error"] = answer["__error__"]["message"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return body
    return orjson.dumps(answer)


def _detail(body: bytes) -> str:
    try:
        answer: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ""
    detail = answer.get("detail") if isinstance(answer, dict) else None
    return detail if isinstance(detail, str) else ""


def _with_length(start: Message, body: bytes) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    return [*kept, (b"content-length", str(len(body)).encode())]
