"""Collect the streams of a run into its current state."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from langchain_core.messages import BaseMessage

from backtrail.nodes.streaming.answer_tokens import BEGINS, STREAM_ID_PREFIX
from backtrail.nodes.streaming.escape_markdown import unescaped
from backtrail.server.ui.engine.protocol import Moment
from backtrail.state.chat.answer_payload import PAYLOAD_KEY

STREAMS = ("tasks", "values", "messages")
HOSTED_STREAMS = ("tasks", "values", "messages-tuple")
"""The server's names of the same modes."""

_SAID = ("messages", "question", "image")
"""Fields of the state that the question itself sets."""


class RunProgress:
    """Consumer of a run's stream; ``moment`` is the current state.

    Args:
        begun: whether a node has run for this question. Until then the state is that of the previous question.
    """

    def __init__(self, moment: Moment, *, begun: bool) -> None:
        self.moment = moment
        self._begun = begun
        self._streamed: tuple[str, str] = ("", "")  # id of a message and its text so far, in Markdown

    def take(self, mode: str, chunk: Any) -> bool:
        """Process one event; return whether the moment changed."""
        if mode == "messages":
            return self._hear(chunk)
        if not isinstance(chunk, dict):
            return False
        if mode == "values":
            values = chunk if self._begun else {key: chunk[key] for key in _SAID if key in chunk}
            self.moment = replace(self.moment, values=values)
        elif mode == "tasks" and "triggers" in chunk:
            self.moment = replace(self.moment, nodes=(*self.moment.nodes, str(chunk.get("name"))))
        elif mode == "tasks":
            self._begun = True
            nodes = list(self.moment.nodes)
            with suppress(ValueError):
                nodes.remove(str(chunk.get("name")))
            self.moment = replace(self.moment, nodes=tuple(nodes))
        else:
            return False
        return True

    def _hear(self, chunk: Any) -> bool:
        """Process a piece of the answer's message or all of it; without its beginning, the rest."""
        if not isinstance(chunk, (list, tuple)) or len(chunk) != 2:
            return False
        message = dict(chunk[0]) if isinstance(chunk[0], (BaseMessage, Mapping)) else {}
        id_, content = str(message.get("id") or ""), message.get("content")
        if not id_.startswith(STREAM_ID_PREFIX) or not isinstance(content, str):
            return False
        whole = (message.get("additional_kwargs") or {}).get(PAYLOAD_KEY)
        if isinstance(whole, Mapping):
            words = str(whole.get("text") or "")
        else:
            before = self._streamed[1] if self._streamed[0] == id_ else ""
            if not before and not (message.get("response_metadata") or {}).get(BEGINS):
                before, content = "… ", content.lstrip()
            self._streamed = (id_, before + content)
            words = unescaped(self._streamed[1])
        self.moment = replace(self.moment, answer_text=words)
        return True
