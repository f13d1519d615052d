"""Read request bodies within the size limit before any route.

The server's own limit, 300 MB, applies only after a body was received, and its error does not explain it. Here bodies
are counted while they arrive, with or without a length in the headers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from backtrail.state.errors import InputRefused
from backtrail.state.limits import VARIABLE

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

    from backtrail.server.request_memory import RequestMemory

DRAINED = 4
"""Multiple of the limit up to which a refused body is still received and dropped: a client cut off while sending does
not read the response (ours)."""

TOO_LARGE, TOO_BIG = 413, 1009
"""Status codes of HTTP and WebSockets for a message that is too large."""


class RequestBodyTooLarge(Exception):
    """A request's body is larger than the limit."""

    def __init__(self, most: int, limit: str = "REQUEST") -> None:
        super().__init__(
            f"The request is larger than {most:,} bytes and was ignored. Send less at once; pictures count with a "
            f"third on top of their size. The host of this server can raise {VARIABLE}{limit}."
        )

    def response(self) -> JSONResponse:
        """Return the refusal in the server's format."""
        return JSONResponse({"detail": str(self)}, TOO_LARGE, headers={"Connection": "close"})


async def read_body(scope: Scope, receive: Receive, most: int, holding: RequestMemory | None = None) -> bytes:
    """Read the body of a request.

    Args:
        holding: counter of the memory; None counts nothing.

    Raises:
        RequestBodyTooLarge: the body has more than ``most`` bytes.
        TooBusy: other requests use all memory allowed.
    """
    announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    refused = announced.isdigit() and int(announced) > most
    chunks: list[bytes] = []
    taken, more = 0, not (refused and int(announced) > DRAINED * most)
    while more:
        message = await receive()
        if message["type"] != "http.request":  # the client disconnected
            break
        chunk = message.get("body", b"")
        taken, more = taken + len(chunk), message.get("more_body", False)
        refused = refused or taken > most
        if refused:
            chunks.clear()
            if holding is not None:
                holding.drop()
            more = more and taken <= DRAINED * most
        else:
            if holding is not None:
                holding.add(len(chunk))
            chunks.append(chunk)
    if refused:
        raise RequestBodyTooLarge(most)
    return b"".join(chunks)


def given_again(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that replays the body, then passes further messages, such as a disconnect."""
    replayed = False

    async def replay() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def bounded_stream(receive: Receive, most: int) -> Receive:
    """Return a ``receive`` for streaming a body up to the limit.

    Reading beyond raises RequestBodyTooLarge.
    """
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise RequestBodyTooLarge(most, "UPLOADS")
        return message

    return counted


def bounded(receive: Receive, send: Send, most: int, check: Callable[[bytes], None]) -> Receive:
    """Return a ``receive`` of a WebSocket that closes it at the first message over the limit.

    Args:
        check: raises InputRefused for messages that are refused for other reasons.
    """

    async def counted() -> Message:
        message = await receive()
        sent = message.get("text") or message.get("bytes") or ""
        if message["type"] != "websocket.receive":
            return message
        reason = f"The message has more than {most:,} bytes."
        if len(sent) <= most:
            try:
                await asyncio.to_thread(check, sent.encode() if isinstance(sent, str) else sent)
                return message
            except InputRefused as error:
                reason = str(error)[:120]
        await send({"type": "websocket.close", "code": TOO_BIG, "reason": reason})
        return {"type": "websocket.disconnect", "code": TOO_BIG}

    return counted
