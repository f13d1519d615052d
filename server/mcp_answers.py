"""Answers for MCP clients: result, sources and trace address, without run state.

The server answers a tool call by a run and returns its whole state. Here the run's thread is kept, so that its trace
can be read afterwards, and the answer replaces the state.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import orjson
from langchain_core.messages import AIMessage

from backtrail.server.mcp_corpus import as_setting
from backtrail.state.chat.answer_payload import PAYLOAD_KEY

if TYPE_CHECKING:
    from starlette.types import Message, Send

MCP, WAITED = "/mcp", "/runs/wait"
"""Path of tool calls, and of the inner request that runs one."""

AnswerMessage = tuple[str, Mapping[str, Any]]
"""Text of an answer with numbered sources and trace address, and the same as values."""

_answers: ContextVar[list[AnswerMessage] | None] = ContextVar("answers", default=None)


def begin_call() -> list[AnswerMessage]:
    """Start collecting the answers of this call's runs; return their list."""
    answers: list[AnswerMessage] = []
    _answers.set(answers)
    return answers


def kept_run(body: bytes) -> bytes:
    """Change the body of a tool's run: keep its thread, and make its corpus a setting."""
    if _answers.get() is None:
        return body
    sent = orjson.loads(body)
    return orjson.dumps({**as_setting(sent), "on_completion": "keep"}) if isinstance(sent, dict) else body


def collect(body: bytes) -> None:
    """Collect the answer of a run."""
    if (answers := _answers.get()) is None:
        return
    try:
        values = orjson.loads(body)
    except orjson.JSONDecodeError:
        return
    messages = values.get("messages") if isinstance(values, dict) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    if isinstance(last, Mapping) and isinstance(
        payload := (last.get("additional_kwargs") or {}).get(PAYLOAD_KEY), Mapping
    ):
        answers.append((str(AIMessage(last.get("content") or "").text), payload))


def replace_state(body: bytes, answers: list[AnswerMessage]) -> bytes:
    """Replace the state in a tool's response by the run's answer, as text and as values."""
    try:
        response = orjson.loads(body)
        content = response["result"]["content"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return body
    if not answers or not isinstance(content, list) or response["result"].get("isError"):
        return body
    text, values = answers[-1]
    response["result"] = {"content": [{"type": "text", "text": text}], "structuredContent": dict(values)}
    return orjson.dumps(response)


def compact_answer(send: Send, changes: Callable[[bytes], Awaitable[bytes]] | None = None) -> Send:
    """Buffer the response to an MCP request and send it with changes."""
    answers = begin_call()
    held: list[Message] = []

    async def rewritten(message: Message) -> None:
        held.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            start, *pieces = held
            body = b"".join(piece.get("body", b"") for piece in pieces)
            changed = replace_state(await changes(body) if changes else body, answers)
            if changed is not body:
                kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
                start = {**start, "headers": [*kept, (b"content-length", str(len(changed)).encode())]}
            await send(start)
            await send({"type": "http.response.body", "body": changed, "more_body": False})
            held.clear()

    return rewritten
