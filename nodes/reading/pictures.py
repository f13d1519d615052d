"""Load pictures for a decision when a vision model takes it. State never holds bytes."""

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
    """The picture that came with the question, by its sha256; none for the offline rules."""
    if not image or not sees_pictures(settings, role):
        return []
    content = await asyncio.to_thread(toolbox.question_picture, image)
    return [attachment(content, "Picture of the question", settings)]


def sees_pictures(settings: Settings, role: Role) -> bool:
    """Whether pictures go to whoever takes this role's decisions."""
    return settings.model_for(role) != OFFLINE and settings.pictures > 0


async def attach_pictures(
    contents: ContentsReader, components: Sequence[Component], settings: Settings, role: Role
) -> list[PictureAttachment]:
    """The files of the first image components, at most ``settings.pictures``; none for the offline rules.

    One that is gone or cannot be read goes along empty: whoever shows it leaves it out with a note, as one that cannot
    be decoded.
    """
    if not sees_pictures(settings, role):
        return []
    held = [
        (component.id, component.image.blob) for component in components if component.image and component.image.blob
    ]
    attached: list[PictureAttachment] = []
    for component_id, blob in held[: settings.pictures]:
        content = await asyncio.to_thread(_held, contents, blob)
        attached.append(attachment(content, f"Picture of {component_id}", settings))
    return attached


def _held(contents: ContentsReader, blob: str) -> bytes:
    try:
        return contents.picture(blob)
    except (KeyError, OSError):
        return b""


def attachment(content: bytes, label: str, settings: Settings) -> PictureAttachment:
    """A picture as the settings have it sent."""
    return PictureAttachment(
        content=content, mime=mime_of(content), label=label, longest_side=settings.picture_side
    )  # fmt: skip


def mime_of(content: bytes) -> str:
    """Media type by the first bytes; stored pictures were checked when they were ingested."""
    if content.startswith(b"\x89PNG"):
        return "image/png"
    if content.startswith(b"GIF8"):
        return "image/gif"
    if content[8:12] == b"WEBP":
        return "image/webp"
    return "image/jpeg"
