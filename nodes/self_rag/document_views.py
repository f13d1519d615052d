"""Documents and their pictures for the graders of self-reflective RAG."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from backtrail.nodes.reading.component_views import component_text
from backtrail.nodes.reading.pictures import attach_pictures, attach_question_picture
from backtrail.state.evidence import Evidence
from backtrail.state.self_rag.decisions import Retrieved
from backtrail.state.settings import Settings
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader


def documents_read(contents: ContentsReader, ids: Sequence[str], evidence: dict[str, Evidence]) -> list[Retrieved]:
    """By id, in the order given; what can no longer be read is left out. Reads contents (blocking)."""
    held = contents.components(ids)
    return [
        Retrieved(
            id=id_, modality=held[id_].modality, title=evidence[id_]["title"] if id_ in evidence else "",
            text=component_text(held[id_]),
        )
        for id_ in ids
        if id_ in held
    ]  # fmt: skip


async def pictures_graded(
    toolbox: Toolbox, settings: Settings, image: str | None, ids: Sequence[str]
) -> list[PictureAttachment]:
    """The question's picture, and those among the documents: a question about a picture is not judged without it."""
    contents = toolbox.contents(settings)
    held = await asyncio.to_thread(contents.components, ids)
    found = [held[id_] for id_ in ids if id_ in held]
    return [
        *await attach_question_picture(toolbox, image, settings, "planner"),
        *await attach_pictures(contents, found, settings, "planner"),
    ]
