"""Answers for MCP clients: result, sources and trace address, without run state.

The server answers a call of a tool by a run of its own, whose whole state it writes out. So the run is kept, that its
trace can be read afterwards, and what it says takes the place of its state.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import orjson

from backtrail.server.mcp_corpus import as_setting
from backtrail.state.chat.answer_payload import TOLD

if TYPE_CHECKING:
    from starlette.types import Message, Send

MCP, WAITED = "/mcp", "/runs/wait"
"""Where tools are called, and how the server runs one."""

Told = tuple[str, Mapping[str, Any]]
"""The words of a message with its numbered sources and the address of its trace, and the same as values."""

_answers: ContextVar[list[Told] | None] = ContextVar("answers", default=None)


def begin_call() -> list[Told]:
    """From now on, what runs of this call answer is collected here."""
    answers: list[Told] = []
    _answers.set(answers)
    return answers


def kept_run(body: bytes) -> bytes:
    """The body that begins a run for a call of MCP; its thread stays, and its corpus is a setting."""
    if _answers.get() is None:
        return body
    sent = orjson.loads(body)
    return orjson.dumps({**as_setting(sent), "on_completion": "keep"}) if isinstance(sent, dict) else body


def collect(body: bytes) -> None:
    """Note what a run answered."""
    if (answers := _answers.get()) is None:
        return
    try:
        values = orjson.loads(body)
    except orjson.JSONDecodeError:
        return
    messages = values.get("messages") if isinstance(values, dict) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    if isinstance(last, Mapping) and isinstance(told := (last.get("additional_kwargs") or {}).get(TOLD), Mapping):
        answers.append((str(last.get("content") or ""), told))


def in_place_of_state(body: bytes, answers: list[Told]) -> bytes:
    """The answer to a call of a tool with what its run answered: as text, and as values beside it."""
    try:
        told = orjson.loads(body)
        content = told["result"]["content"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return body
    if not answers or not isinstance(content, list) or told["result"].get("isError"):
        return body
    text, values = answers[-1]
    told["result"] = {"content": [{"type": "text", "text": text}], "structuredContent": dict(values)}
    return orjson.dumps(told)


def compact_answer(send: Send, changes: Callable[[bytes], Awaitable[bytes]] | None = None) -> Send:
    """The answer to a request of MCP, held back until it is whole, and then with these changes."""
    answers = begin_call()
    held: list[Message] = []

    async def told(message: Message) -> None:
        held.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            start, *pieces = held
            body = b"".join(piece.get("body", b"") for piece in pieces)
            changed = in_place_of_state(await changes(body) if changes else body, answers)
            if changed is not body:
                kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
                start = {**start, "headers": [*kept, (b"content-length", str(len(changed)).encode())]}
            await send(start)
            await send({"type": "http.response.body", "body": changed, "more_body": False})
            held.clear()

    return told
