"""Pictures in message content: the forms that clients send, and the reference that is stored.

Accepted are the forms of OpenAI (``image_url``, ``input_image``), LangChain (``source_type`` with ``data`` or ``url``;
``base64``, ``url`` or ``file_id``), Anthropic (``source``) and agent-chat-ui (``mimeType`` with ``data``). The
reference is in LangChain's form: ``{"type": "image", "file_id": SHA256, "mime_type": …, "url": …}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from langchain_core.messages import BaseMessage

SHA256 = re.compile(r"[0-9a-f]{64}")
_OURS = re.compile(r"/blobs/([0-9a-f]{64})$")
_TYPES = ("image", "image_url", "input_image")
_OTHER_FILES = ("file", "audio", "video", "document", "input_file", "input_audio", "text-plain")
_SUPPORTED = (
    f"Text is a block of the type 'text'; a picture is one of the type {', '.join(map(repr, _TYPES))} with base64, a "
    "URL, or as 'file_id' the sha256 that POST /pictures returns."
)

Block = Mapping[str, Any]


@dataclass(frozen=True)
class SentPicture:
    """A picture as a client sent it: base64 text, a URL, or the sha256 of a stored one."""

    kind: Literal["base64", "url", "held"]
    value: str


def picture_in(block: Block) -> SentPicture | None:
    """Return the picture of a content block; None for other blocks and for pictures without content."""
    if block.get("type") not in _TYPES:
        return None
    stored = _text(block, "file_id") or _text(block, "id")
    if SHA256.fullmatch(stored) and not _text(block, "base64") and not _text(block, "data"):
        return SentPicture("held", stored)
    source = _part(block, "source")
    if content := _text(block, "base64") or _text(block, "data") or _text(source, "data"):
        return _from_address(content) if content.startswith("data:") else SentPicture("base64", content)
    named = _text(block, "image_url") or _text(_part(block, "image_url"), "url")
    url = named or _text(block, "url") or _text(source, "url")
    return _from_address(url) if url else None


def problem_of(block: Block, by_human: bool) -> str:
    """Return why a content block is refused; empty for text, pictures and blocks that models add."""
    kind = block.get("type")
    if kind in _OTHER_FILES:
        return f"A message holds something of the type {kind!r}. Ask with pictures; ingest other files."
    if kind in _TYPES and picture_in(block) is None:
        id_ = _text(block, "file_id") or _text(block, "id") or _text(_part(block, "source"), "file_id")
        named = f"by the id {id_[:80]!r}, which is not stored here" if id_ else "without content"
        return f"A message holds a picture {named}. {_SUPPORTED}"
    if by_human and kind != "text" and kind not in _TYPES:
        return f"A message holds a block of the type {str(kind)[:80]!r}, which is not read. {_SUPPORTED}"
    return ""


def reference(sha256: str, mime: str, url: str = "") -> dict[str, Any]:
    """Return the block that is stored in place of a picture."""
    kept = {"type": "image", "file_id": sha256, "mime_type": mime}
    return {**kept, "url": url} if url else kept


def pictures_of(message: BaseMessage) -> list[SentPicture]:
    """Return the pictures of a message, in order."""
    return [found for block in blocks_of(message.content) if (found := picture_in(block))]


def blocks_of(content: Any) -> list[Block]:
    """Return the structured blocks of a message's content."""
    several: Sequence[Any] = cast("Sequence[Any]", content) if isinstance(content, (list, tuple)) else ()
    return [cast("Block", block) for block in several if isinstance(block, Mapping)]


def _from_address(url: str) -> SentPicture | None:
    if url.startswith("data:"):
        content = url.partition(",")[2]
        return SentPicture("base64", content) if content else None
    ours = _OURS.search(url.partition("?")[0])
    return SentPicture("held", ours[1]) if ours else SentPicture("url", url)


def _part(block: Block, key: str) -> Block:
    value = block.get(key)
    return cast("Block", value) if isinstance(value, Mapping) else {}


def _text(block: Block, key: str) -> str:
    value = block.get(key)
    return value if isinstance(value, str) else ""
