"""Stream the tokens of answers on LangGraph's stream mode "messages".

Nodes need not know. A model's reply is JSON; for the nodes below, its answer text is streamed as the beginning of the
turn's message. A later node may make that message, which gets the id of its chunks.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast
from uuid import uuid4
from weakref import WeakKeyDictionary

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langgraph.config import get_config
from langgraph.graph.message import push_message
from langgraph.pregel._messages import StreamMessagesHandler

from backtrail.nodes.streaming.answer_tokens import STREAM_ID_PREFIX, AnswerTokens
from backtrail.tools.deciders.requests.partial_reply import text_so_far
from backtrail.tools.deciders.requests.stream_replies import stream_to

STREAMED: Mapping[str, tuple[str, ...]] = {
    "answer": ("text",), "answer_alone": ("text",), "refine": ("text",), "advance": ("answer", "text"),
}  # fmt: skip
"""Path of the answer text in a node's replies. FiF's drafts (``advance``) mostly become the answer; drafts that are
checked first (self-reflective RAG) and the many readings of a planning graph are not streamed."""

_streams: WeakKeyDictionary[BaseCallbackHandler, dict[str, AnswerTokens]] = WeakKeyDictionary()
"""Streams per listener and graph; a new listener, after a restart, starts anew."""


@contextmanager
def streaming_answer(node: str) -> Generator[None]:
    """Stream the answer text of the node's model to listeners of messages, inside the context."""
    path, aloud = STREAMED.get(node), _stream() if node in STREAMED else None
    if path is None or aloud is None:
        yield
        return
    with stream_to(lambda reply: aloud.say(text_so_far(reply, path))):
        yield


def with_stream_id(writes: Any) -> Any:
    """Return a node's writes, with the streamed id on the turn's message, whose rest is sent."""
    values: dict[str, Any] = dict(cast("Mapping[str, Any]", writes)) if isinstance(writes, Mapping) else {}
    messages: list[Any] = values.get("messages") or []
    last = messages[-1] if messages else None
    aloud = _stream() if isinstance(last, AIMessage) else None
    if aloud is None or not isinstance(last, AIMessage):
        return cast("Any", writes)
    return {**values, "messages": [*messages[:-1], aloud.end(last)]}


def _stream() -> AnswerTokens | None:
    """Return the token stream of this node's graph; None without a listener."""
    try:
        config = get_config()
    except RuntimeError:
        return None
    callbacks: Any = config.get("callbacks")
    handlers: list[Any] = getattr(callbacks, "handlers", callbacks) or []
    listener = next((one for one in handlers if isinstance(one, StreamMessagesHandler)), None)
    if listener is None:
        return None
    graph = str((config.get("configurable") or {}).get("checkpoint_ns") or "").rpartition("|")[0]
    streams = _streams.setdefault(listener, {})
    if graph not in streams:
        streams[graph] = AnswerTokens(
            f"{STREAM_ID_PREFIX}{uuid4()}", lambda message: push_message(message, state_key=None)
        )
    return streams[graph]
