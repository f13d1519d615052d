"""Convert a row to plain-text turns with a mark for each picture, which most trainers read."""

from __future__ import annotations

from typing import NamedTuple

from backtrail.training.finetune.rows import Message, Sourced, TextPart

MARK = "<image>"
_DISARMED = "< image>"


class Turns(NamedTuple):
    """``messages`` of role and content; ``pictures`` are full paths, one for each mark, in order."""

    messages: list[dict[str, str]]
    pictures: list[str]


def turns(sourced: Sourced) -> Turns:
    """Return the turns of a row. A mark within a text is broken up, as trainers count the marks."""
    pictures = [str(sourced.folder / path) for message in sourced.row.messages for path in _paths(message)]
    messages = [{"role": message.role, "content": _content(message)} for message in sourced.row.messages]
    return Turns(messages, pictures)


def _content(message: Message) -> str:
    if isinstance(message.content, str):
        return message.content.replace(MARK, _DISARMED)
    return "\n".join(
        part.text.replace(MARK, _DISARMED) if isinstance(part, TextPart) else MARK for part in message.content
    )


def _paths(message: Message) -> list[str]:
    parts = [] if isinstance(message.content, str) else message.content
    return [part.path for part in parts if not isinstance(part, TextPart)]
