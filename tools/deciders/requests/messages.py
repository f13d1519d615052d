"""Conversation of one decision: the prompt, its pictures, and each invalid reply with a correction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from backtrail.prompts.render import Rendered
from backtrail.tools.deciders.capabilities import ReplyFormat
from backtrail.tools.deciders.pictures import ShownPicture
from backtrail.tools.deciders.requests.reply_schema import ReplyForm
from backtrail.tools.deciders.requests.structured_output import schema_in_words

_LONGEST_ECHO = 4_000  # characters of an invalid reply that the model is shown again


@dataclass
class Conversation:
    """Messages of one decision, in the form that each rung needs."""

    rendered: Rendered
    form: ReplyForm
    pictures: list[ShownPicture]
    corrections: list[BaseMessage] = field(default_factory=list)

    def messages(self, rung: ReplyFormat, with_pictures: bool) -> list[BaseMessage]:
        """Return the messages of the next request."""
        system = SystemMessage(self.rendered.system + self.form.reasoning_note + schema_in_words(rung, self.form))
        return [system, self._user(with_pictures), *self.corrections]

    def ask_again(self, reply: str, problem: str) -> None:
        """Add the model's reply and its problem to the conversation."""
        echo = reply[:_LONGEST_ECHO] or "(empty reply)"
        again = f"That reply cannot be used. {problem}\nReply again with the whole JSON object and nothing else."
        if not self.corrections:  # once is enough, as it is long and stays in the conversation
            again += f" Its JSON schema: {self.form.text}"
        self.corrections += [AIMessage(echo), HumanMessage(again)]

    def _user(self, with_pictures: bool) -> HumanMessage:
        if not (with_pictures and self.pictures):
            return HumanMessage(self.rendered.user)
        parts: list[str | dict[Any, Any]] = [{"type": "text", "text": self.rendered.user}]
        for picture in self.pictures:
            parts.append({"type": "text", "text": picture.caption})
            parts.append({"type": "image_url", "image_url": {"url": picture.data_url}})
        return HumanMessage(parts)
