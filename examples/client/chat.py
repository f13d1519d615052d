"""A chat on the command line over a running server: ``python -m examples.client.chat http://localhost:8123 "…"``.

It shows what the run does while it does it, the answer as it is written, and what a run asks back. Everything that a
client of one's own needs is in ``conversation``: it yields values of three kinds.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from backtrail.state.chat.progress import PROGRESS, Progress


@dataclass(frozen=True)
class Words:
    """A piece of the message as it is written."""

    text: str


@dataclass(frozen=True)
class Asks:
    """The run waits for an answer: see docs/chat.md for what is asked."""

    question: Mapping[str, Any]


@dataclass(frozen=True)
class Message:
    """The whole message that ends a turn: Markdown, and the same as values."""

    markdown: str
    payload: Mapping[str, Any]


async def conversation(
    client: LangGraphClient, thread: str, method: str, turn: Mapping[str, Any], context: Mapping[str, Any]
) -> AsyncIterator[Progress | Words | Asks | Message]:
    """One turn.

    Args:
        turn: ``{"input": {"messages": […]}}``, or ``{"command": {"resume": …}}`` in reply to what was asked.
        context: settings of the run.

    Raises:
        RuntimeError: the run failed; in the server's words.
    """
    stream = client.runs.stream(
        thread, method, context=dict(context), stream_mode=["custom", "messages-tuple", "values"],
        stream_subgraphs=True, durability="sync", **turn,
    )  # fmt: skip
    last: Mapping[str, Any] = {}
    async for part in stream:
        kind, _, within = part.event.partition("|")
        if kind == "error":
            raise RuntimeError(f"{part.data['error']}: {part.data['message']}")
        if kind == "custom" and part.data.get("type") == PROGRESS:
            yield part.data
        elif kind == "messages" and part.data[0]["type"] == "AIMessageChunk":
            yield Words(part.data[0]["content"])
        elif kind == "values" and not within:
            last = part.data
    for one in last.get("__interrupt__", []):
        yield Asks(one["value"])
    said = (last.get("messages") or [{}])[-1]
    if said.get("type") == "ai":
        yield Message(said["content"], said["additional_kwargs"].get("backtrail", {}))


def line(one: Progress) -> str:
    """A value of progress as one line."""
    titles = ", ".join(dict.fromkeys(piece["title"] for piece in one["found"] if piece["title"]))
    parts = [one["sought"], one["where"], titles, one["outcome"], one["judged"]]
    cost = one["cost"]
    spent = f"({cost['calls']} calls, ${cost['usd']:.4f})" if cost["calls"] else ""
    return " · ".join(part for part in (f"{one['event']:<6}", *parts, spent) if part)


async def main(url: str, question: str, method: str = "fif") -> None:
    """Ask one question and show everything."""
    async with get_client(url=url) as client:
        thread = (await client.threads.create())["thread_id"]
        turn: dict[str, Any] = {"input": {"messages": [{"role": "user", "content": question}]}}
        while turn:
            asked = turn
            turn = {}
            written = ""
            async for one in conversation(client, thread, method, asked, {"corpus": "examples"}):
                if isinstance(one, Words):
                    written += one.text
                    print(one.text, end="", flush=True)
                elif isinstance(one, Message):  # the words are its beginning, unless the answer became another
                    print() if written == one.markdown else print(f"\n{one.markdown}")
                elif isinstance(one, Asks):
                    print(one.question)
                    turn = {"command": {"resume": input("> ")}}
                else:
                    print(line(one))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
