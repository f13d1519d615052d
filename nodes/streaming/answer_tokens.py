"""Streaming of an answer's tokens as it is written. Streamed text is never retracted.

A chunk is sent only if it continues the text sent before. If the answer becomes another one (an unusable reply, a
rejected draft, a fallback to rules), nothing more is sent until the message is complete.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

from backtrail.nodes.streaming.escape_markdown import Escaper

STREAM_ID_PREFIX = "answer-"
"""Prefix of the ids of streamed messages."""

BEGINS = "backtrail_begins"
"""Key of ``response_metadata`` in the first chunk, so that late listeners know that they missed some."""

Push = Callable[[BaseMessage], object]


class AnswerTokens:
    """One message being streamed.

    Args:
        id_: id of the message, also when it is complete.
        push: sends a chunk, or the whole message, to the listeners.
    """

    def __init__(self, id_: str, push: Push) -> None:
        self._id = id_
        self._push = push
        self._sent = ""  # Markdown that was sent
        self._raw, self._escaped, self._escaper = "", "", Escaper(marks=True)

    def say(self, text: str) -> None:
        """Send the new part of the answer's text so far."""
        if not text.startswith(self._raw):  # a new text
            self._raw, self._escaped, self._escaper = "", "", Escaper(marks=True)
        self._escaped += self._escaper.feed(text[len(self._raw) :])
        self._raw = text
        if len(self._escaped) > len(self._sent) and self._escaped.startswith(self._sent):
            self._tell(self._escaped)

    def end(self, message: AIMessage) -> AIMessage:
        """Return the complete message under the id of its chunks, and send the rest of it.

        The whole message is sent if it begins differently; it is returned unchanged if nothing was streamed.
        """
        if not self._sent:
            return message
        whole = message.model_copy(update={"id": self._id})
        content = str(whole.text)
        if content.startswith(self._sent):
            rest: Any = content[len(self._sent) :]
            if not isinstance(whole.content, str):  # one block with annotations
                rest = [{**cast("dict[str, Any]", whole.content[0]), "text": rest}]
            values = dict(whole.additional_kwargs)
            self._push(AIMessageChunk(content=rest, id=self._id, additional_kwargs=values, chunk_position="last"))
        else:
            self._push(whole)
        return whole

    def _tell(self, so_far: str) -> None:
        marks = {} if self._sent else {BEGINS: True}
        self._push(AIMessageChunk(content=so_far[len(self._sent) :], id=self._id, response_metadata=marks))
        self._sent = so_far
