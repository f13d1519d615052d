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
    """Return documents by id, in order; missing ones are dropped. Reads contents (blocking)."""
    components = contents.components(ids)
    return [
        Retrieved(
            id=id_, modality=components[id_].modality, title=evidence[id_]["title"] if id_ in evidence else "",
            text=component_text(components[id_]),
        )
        for id_ in ids
        if id_ in components
    ]  # fmt: skip


async def pictures_graded(
    toolbox: Toolbox, settings: Settings, image: str | None, ids: Sequence[str]
) -> list[PictureAttachment]:
    """Return the question's picture, and those among the documents."""
    contents = toolbox.contents(settings)
    components = await asyncio.to_thread(contents.components, ids)
    found = [components[id_] for id_ in ids if id_ in components]
    return [
        *await attach_question_picture(toolbox, image, settings, "planner"),
        *await attach_pictures(contents, found, settings, "planner"),
    ]
