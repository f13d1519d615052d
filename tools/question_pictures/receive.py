"""Replace pictures in a run's input by references to stored files.

LangGraph writes messages into every checkpoint of a run; pictures in them would be written each time.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.messages import BaseMessage

from backtrail.state.chat.picture_blocks import (
    SHA256,
    Block,
    SentPicture,
    blocks_of,
    picture_in,
    problem_of,
    reference,
)
from backtrail.state.errors import InputRefused
from backtrail.state.limits import limits
from backtrail.tools.question_pictures.contact_sheet import picture_sheet
from backtrail.tools.question_pictures.fetch import fetch_picture
from backtrail.tools.question_pictures.keep import check_stored, store_checked_picture

_SPEAKERS = ("human", "user")


def with_stored_pictures(
    asked: Mapping[str, Any], *, owner: str | None = None, server: str = "", most: int | None = None
) -> dict[str, Any]:
    """Return the input with references for pictures, and ``image`` set to the last message's picture.

    Several pictures become one sheet. Blocking: files, decoding, possibly a fetch.

    Args:
        owner: owner of stored and referenced pictures; None if clients are not distinguished.
        server: address of the server, for links that clients can show.
        most: maximum of bytes per picture.

    Raises:
        InputRefused: a picture that cannot be used, is not stored or has another owner; a file of another kind.
    """
    received = dict(asked)
    sent = asked.get("messages")
    messages: list[Any] = list(cast("Sequence[Any]", sent)) if isinstance(sent, (list, tuple)) else [sent]
    if any(blocks_of(_content(message)) for message in messages):
        received["messages"] = [_with_references(message, owner, server, most) for message in messages]
        last = received["messages"][-1]
        if _speaker(last) in _SPEAKERS and not asked.get("image"):
            pictures = [found.value for block in blocks_of(_content(last)) if (found := picture_in(block))]
            received["image"] = _one(pictures, owner)
    if asked.get("image"):
        check_stored(str(asked["image"]), owner)
    return received


def has_new_pictures(asked: Mapping[str, Any]) -> bool:
    """Whether a message has a picture to store or refuse, or a reference while ``image`` is empty."""
    sent = asked.get("messages")
    messages: list[Any] = list(cast("Sequence[Any]", sent)) if isinstance(sent, (list, tuple)) else [sent]
    found = [picture_in(block) for message in messages for block in blocks_of(_content(message))]
    unread = any(
        problem_of(block, _speaker(message) in _SPEAKERS)
        for message in messages
        for block in blocks_of(_content(message))
    )
    unkept = any(picture is not None and picture.kind != "held" for picture in found)
    return unread or unkept or (any(found) and not asked.get("image"))


def _one(pictures: Sequence[str], owner: str | None) -> str | None:
    """Return one picture, or a sheet of several; None without any, which resets that of the last question."""
    if (count := len(pictures)) > limits().pictures:
        raise InputRefused(f"{count} pictures were sent with one question; at most {limits().pictures} are allowed.")
    return picture_sheet(pictures, owner).sha256 if count > 1 else pictures[0] if pictures else None


def _with_references(message: Any, owner: str | None, server: str, most: int | None) -> Any:
    content = _content(message)
    if not blocks_of(content):
        return message
    human = _speaker(message) in _SPEAKERS
    kept = [
        _kept(cast("Block", part), human, owner, server, most) if isinstance(part, Mapping) else part
        for part in content
    ]
    if isinstance(message, BaseMessage):
        return message.model_copy(update={"content": kept})
    return {**message, "content": kept} if isinstance(message, Mapping) else (message[0], kept)


def _kept(block: Block, human: bool, owner: str | None, server: str, most: int | None) -> Block:
    if problem := problem_of(block, human):
        raise InputRefused(problem)
    if (sent := picture_in(block)) is None:
        return block
    if sent.kind == "held":
        check_stored(sent.value, owner)
        return reference(sent.value, str(block.get("mime_type") or "image"), _at(server, sent.value))
    kept = store_checked_picture(_bytes(sent), owner, most)
    return reference(kept.sha256, kept.mime, _at(server, kept.sha256))


def _at(server: str, sha256: str) -> str:
    return f"{server}/blobs/{sha256}" if server and SHA256.fullmatch(sha256) else ""


def _bytes(sent: SentPicture) -> bytes:
    if sent.kind == "url":
        return fetch_picture(sent.value)
    try:
        return base64.b64decode("".join(sent.value.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputRefused(f"A picture is not valid base64 ({error}).") from error


def _content(message: Any) -> Any:
    """Return the content of a message in any form that LangChain accepts."""
    if isinstance(message, BaseMessage):
        return message.content
    if isinstance(message, Mapping):
        return cast("Mapping[str, Any]", message).get("content")
    if isinstance(message, (list, tuple)) and len(cast("Sequence[Any]", message)) == 2:
        return cast("Sequence[Any]", message)[1]
    return message


def _speaker(message: Any) -> str:
    if isinstance(message, BaseMessage):
        return message.type
    if isinstance(message, Mapping):
        fields = cast("Mapping[str, Any]", message)
        return str(fields.get("role") or fields.get("type"))
    return str(message[0]) if isinstance(message, (list, tuple)) else "user"
