"""Pictures of a decision that can be opened, and the reasons for the others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from backtrail.nodes.reading.pictures import attach_pictures, sees_pictures
from backtrail.state.component import Component
from backtrail.state.decision import Role
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.pictures import shown_pictures
from backtrail.tools.deciders.protocol import PictureAttachment


async def openable_pictures(
    corpus: CorpusReader, components: Iterable[Component], settings: Settings, role: Role
) -> tuple[list[PictureAttachment], dict[str, str]]:
    """Return the first ``settings.pictures`` openable pictures, and by id why others were left out.

    Both are empty if the role's decider sees no pictures.
    """
    attached: list[PictureAttachment] = []
    left_out: dict[str, str] = {}
    if not sees_pictures(settings, role):
        return attached, left_out
    for component in components:
        if component.image is None or len(attached) >= settings.pictures:
            continue
        if not component.image.blob:
            left_out[component.id] = "the corpus holds no file of it"
            continue
        pictures = await attach_pictures(corpus, [component], settings, role)
        _, notes = await asyncio.to_thread(shown_pictures, pictures)
        if notes:
            left_out[component.id] = "; ".join(notes)
        else:
            attached += pictures
    return attached, left_out
