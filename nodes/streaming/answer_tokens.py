"""Stream the tokens of an answer as it is written. Streamed text is never retracted.

A piece goes out only where it goes on with what was told before. Where the answer turns out to be another (a reply was
unusable, a draft did not stand, a rule had to step in) nothing more is told until the message is whole.
"""

from __future__ import annotations

from collections.abc import Callable

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

from backtrail.nodes.streaming.escape_markdown import Escaper

HEARD = "answer-"
"""How the ids of messages begin that are told as they are written."""

BEGINS = "backtrail_begins"
"""Key of ``response_metadata`` in the first piece: whoever comes later knows that something is lacking."""

Push = Callable[[BaseMessage], object]


class AnswerTokens:
    """One message in the making.

    Args:
        id_: of the message, also when it is whole.
        push: hands a piece of it, or all of it, to whoever listens.
    """

    def __init__(self, id_: str, push: Push) -> None:
        self._id = id_
        self._push = push
        self._told = ""  # in Markdown, as it went out
        self._raw, self._escaped, self._escaper = "", "", Escaper()

    def say(self, text: str) -> None:
        """The answer's text as far as it is written."""
        if not text.startswith(self._raw):  # it is written anew
            self._raw, self._escaped, self._escaper = "", "", Escaper()
        self._escaped += self._escaper.feed(text[len(self._raw) :])
        self._raw = text
        if len(self._escaped) > len(self._told) and self._escaped.startswith(self._told):
            self._tell(self._escaped)

    def end(self, message: AIMessage) -> AIMessage:
        """The whole message under the id of its pieces; unchanged where none went out.

        What is left of it is told, or all of it where it begins otherwise.
        """
        if not self._told:
            return message
        whole = message.model_copy(update={"id": self._id})
        content = str(whole.content)
        if content.startswith(self._told):
            rest = content[len(self._told) :]
            values = dict(whole.additional_kwargs)
            self._push(AIMessageChunk(content=rest, id=self._id, additional_kwargs=values, chunk_position="last"))
        else:
            self._push(whole)
        return whole

    def _tell(self, so_far: str) -> None:
        marks = {} if self._told else {BEGINS: True}
        self._push(AIMessageChunk(content=so_far[len(self._told) :], id=self._id, response_metadata=marks))
        self._told = so_far
