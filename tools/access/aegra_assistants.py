"""aegra's table of assistants, in which those of the host stand among the server's own, for everybody to run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aegra_api.core.orm import (  # pyright: ignore[reportMissingImports] - imported where aegra is the server
    Assistant,
    AssistantVersion,
    _get_session_maker,
)
from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

SYSTEM = "system"
"""Whose assistants everybody may run."""


async def read_assistant(id_: str) -> Mapping[str, Any] | None:
    """An assistant, whoever owns it: ``graph_id``, ``context`` and ``metadata``; None when there is none."""
    async with _get_session_maker()() as session:
        held = await session.get(Assistant, id_)
    if held is None:
        return None
    return {"graph_id": held.graph_id, "context": held.context, "metadata": held.metadata_dict}


async def write_assistants(wanted: Mapping[str, Mapping[str, Any]], mark: Mapping[str, str]) -> None:
    """Make the assistants with this mark in their metadata the wanted ones, by id; others stay as they are."""
    async with _get_session_maker()() as session:
        marked = (Assistant.user_id == SYSTEM) & Assistant.metadata_dict.contains(dict(mark))
        held = set((await session.scalars(select(Assistant.assistant_id).where(marked))).all())
        if gone := held - wanted.keys():
            await session.execute(delete(Assistant).where(Assistant.assistant_id.in_(gone)))
        for id_, one in wanted.items():
            values: dict[str, Any] = {
                **{key: one[key] for key in ("graph_id", "name", "description", "context")},
                "config": {"assistant": id_},  # of a graph and a config aegra holds one
                "metadata_dict": one["metadata"],
            }
            for table, place, more in (
                (Assistant, ["assistant_id"], {"user_id": SYSTEM}),
                (AssistantVersion, ["assistant_id", "version"], {}),
            ):
                entry = insert(table).values(assistant_id=id_, version=1, **more, **values)
                changed = {("metadata" if key == "metadata_dict" else key): value for key, value in values.items()}
                await session.execute(entry.on_conflict_do_update(index_elements=place, set_=changed))
        await session.commit()
