"""A chat completion as the server-sent events that a client gets which asked for a stream."""

import json
from collections.abc import Iterator
from typing import Any

PIECE = 7  # characters


def events(completion: bytes, *, usage: bool) -> Iterator[bytes]:
    """The completion piece by piece; with what it took at the end, where that was asked for and is known."""
    body: dict[str, Any] = json.loads(completion)
    choice = body["choices"][0]
    message = choice["message"]
    yield _event(body, {"role": "assistant"})
    for piece in _pieces(message.get("content") or ""):
        yield _event(body, {"content": piece})
    for number, call in enumerate(message.get("tool_calls") or []):
        named = {**call, "index": number, "function": {"name": call["function"]["name"], "arguments": ""}}
        yield _event(body, {"tool_calls": [named]})
        for piece in _pieces(call["function"]["arguments"]):
            yield _event(body, {"tool_calls": [{"index": number, "function": {"arguments": piece}}]})
    if message.get("refusal"):
        yield _event(body, {"refusal": message["refusal"]})
    yield _event(body, {}, choice["finish_reason"])
    if usage and "usage" in body:
        yield _line({**_frame(body), "choices": [], "usage": body["usage"]})
    yield b"data: [DONE]\n\n"


def _pieces(text: str) -> list[str]:
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


def _event(body: dict[str, Any], delta: dict[str, Any], finish: str | None = None) -> bytes:
    return _line({**_frame(body), "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def _frame(body: dict[str, Any]) -> dict[str, Any]:
    return {"id": body["id"], "object": "chat.completion.chunk", "created": 0, "model": body["model"]}


def _line(value: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()
