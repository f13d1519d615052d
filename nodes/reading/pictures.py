"""Pictures for a decision by a vision model. State never holds bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from backtrail.state.component import Component
from backtrail.state.decision import Role
from backtrail.state.settings import OFFLINE, Settings
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader


async def attach_question_picture(
    toolbox: Toolbox, image: str | None, settings: Settings, role: Role
) -> list[PictureAttachment]:
    """Return the question's picture, by its sha256; none for the offline rules."""
    if not image or not sees_pictures(settings, role):
        return []
    content = await asyncio.to_thread(toolbox.question_picture, image)
    return [attachment(content, "Picture of the question", settings)]


def sees_pictures(settings: Settings, role: Role) -> bool:
    """Return whether the role's decider gets pictures."""
    return settings.model_for(role) != OFFLINE and settings.pictures > 0


async def attach_pictures(
    contents: ContentsReader, components: Sequence[Component], settings: Settings, role: Role
) -> list[PictureAttachment]:
    """Return the files of the first image components, at most ``settings.pictures``; none for the rules.

    A missing or unreadable file is attached empty, and left out with a note later, as if it could not be decoded.
    """
    if not sees_pictures(settings, role):
        return []
    pictured = [
        (component.id, component.image.blob) for component in components if component.image and component.image.blob
    ]
    attached: list[PictureAttachment] = []
    for component_id, blob in pictured[: settings.pictures]:
        content = await asyncio.to_thread(_content, contents, blob)
        attached.append(attachment(content, f"Picture of {component_id}", settings))
    return attached


def _content(contents: ContentsReader, blob: str) -> bytes:
    try:
        return contents.picture(blob)
    except (KeyError, OSError):
        return b""


def attachment(content: bytes, label: str, settings: Settings) -> PictureAttachment:
    """Build an attachment as the settings require."""
    return PictureAttachment(
        content=content, mime=mime_of(content), label=label, longest_side=settings.picture_side
    )  # fmt: skip


def mime_of(content: bytes) -> str:
    """Return the media type by the first bytes; stored pictures were checked at ingestion."""
    if content.startswith(b"\x89PNG"):
        return "image/png"
    if content.startswith(b"GIF8"):
        return "image/gif"
    if content[8:12] == b"WEBP":
        return "image/webp"
    return "image/jpeg"
