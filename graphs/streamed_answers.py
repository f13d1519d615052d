"""Stream the tokens of answers on LangGraph's stream mode "messages".

A node knows nothing of it. What a model replies is JSON; of the nodes below, the text in it is what the message of the
turn begins with. The message may be made by a later node, and has the id of its pieces.
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

from backtrail.nodes.streaming.answer_tokens import HEARD, AnswerTokens
from backtrail.tools.deciders.requests.partial_reply import text_so_far
from backtrail.tools.deciders.requests.stream_replies import overheard

SPOKEN: Mapping[str, tuple[str, ...]] = {
    "answer": ("text",), "answer_alone": ("text",), "refine": ("text",), "advance": ("answer", "text"),
}  # fmt: skip
"""Where in its replies a node has the text that the turn may end with. A draft of FiF's ``advance`` mostly stands;
drafts that are checked first (self-reflective RAG) and the many readings of a planning graph are not heard."""

_told: WeakKeyDictionary[BaseCallbackHandler, dict[str, AnswerTokens]] = WeakKeyDictionary()
"""What each listener was told, by the graph within its run: who listens anew, after a restart, was told nothing."""


@contextmanager
def spoken(node: str) -> Generator[None]:
    """Within, the text that the node's model writes is told to whoever listens to messages."""
    path, aloud = SPOKEN.get(node), _aloud() if node in SPOKEN else None
    if path is None or aloud is None:
        yield
        return
    with overheard(lambda reply: aloud.say(text_so_far(reply, path))):
        yield


def with_spoken(writes: Any) -> Any:
    """A node's writes; the message that ends a turn has the id under which it was heard, and its rest goes out."""
    held: dict[str, Any] = dict(cast("Mapping[str, Any]", writes)) if isinstance(writes, Mapping) else {}
    messages: list[Any] = held.get("messages") or []
    last = messages[-1] if messages else None
    aloud = _aloud() if isinstance(last, AIMessage) else None
    if aloud is None or not isinstance(last, AIMessage):
        return cast("Any", writes)
    return {**held, "messages": [*messages[:-1], aloud.end(last)]}


def _aloud() -> AnswerTokens | None:
    """What was said so far by the graph that this node belongs to; None where nobody listens."""
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
    said = _told.setdefault(listener, {})
    if graph not in said:
        said[graph] = AnswerTokens(f"{HEARD}{uuid4()}", lambda message: push_message(message, state_key=None))
    return said[graph]
