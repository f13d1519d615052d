"""Read request bodies within the size limit before any route sees them.

The server has a limit of its own, 300 MB, which it applies to what it has taken in already and does not explain.
Here a body is counted as it comes, with or without a length in the headers.
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
"""Times the limit that is still taken in, and dropped, of what is refused: a client that is cut off while it sends
does not read the answer, and never learns why (ours)."""

TOO_LARGE, TOO_BIG = 413, 1009
"""What HTTP and WebSockets say of a message that is too large."""


class RequestBodyTooLarge(Exception):
    """A request's body is larger than the limit."""

    def __init__(self, most: int, limit: str = "REQUEST") -> None:
        super().__init__(
            f"The request is larger than {most:,} bytes, and nothing of it was used. Send less at once; pictures count "
            f"with a third on top of their size. Whoever hosts this server may raise {VARIABLE}{limit}."
        )

    def response(self) -> JSONResponse:
        """The refusal, in the form of the server's own."""
        return JSONResponse({"detail": str(self)}, TOO_LARGE, headers={"Connection": "close"})


async def read_body(scope: Scope, receive: Receive, most: int, holding: RequestMemory | None = None) -> bytes:
    """The body of a request.

    Args:
        holding: counts what is held; None counts nothing.

    Raises:
        BodyTooLarge: it has more than ``most`` bytes.
        TooBusy: others have as many as may be held.
    """
    announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    refused = announced.isdigit() and int(announced) > most
    chunks: list[bytes] = []
    taken, more = 0, not (refused and int(announced) > DRAINED * most)
    while more:
        message = await receive()
        if message["type"] != "http.request":  # the client went away
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
    """A source of messages that gives the body first, then what still comes: that the client went away."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def bounded_stream(receive: Receive, most: int) -> Receive:
    """The messages of a request whose body is read as it comes, up to the limit.

    Whoever reads beyond gets a BodyTooLarge.
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
    """The messages of a WebSocket, which is closed by the first one that is larger than the limit.

    Args:
        check: raises InputRefused for what may not be read otherwise.
    """

    async def counted() -> Message:
        message = await receive()
        sent = message.get("text") or message.get("bytes") or ""
        if message["type"] != "websocket.receive":
            return message
        reason = f"A message has more than {most:,} bytes."
        if len(sent) <= most:
            try:
                await asyncio.to_thread(check, sent.encode() if isinstance(sent, str) else sent)
                return message
            except InputRefused as error:
                reason = str(error)[:120]
        await send({"type": "websocket.close", "code": TOO_BIG, "reason": reason})
        return {"type": "websocket.disconnect", "code": TOO_BIG}

    return counted
