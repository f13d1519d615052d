"""Read and write the host's assistants in aegra's table, where everybody may run them."""

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
"""Owner of assistants that everybody may run."""


async def read_assistant(id_: str) -> Mapping[str, Any] | None:
    """An assistant of any owner: ``graph_id``, ``context`` and ``metadata``; None when there is none."""
    async with _get_session_maker()() as session:
        row = await session.get(Assistant, id_)
    if row is None:
        return None
    return {"graph_id": row.graph_id, "context": row.context, "metadata": row.metadata_dict}


async def write_assistants(wanted: Mapping[str, Mapping[str, Any]], mark: Mapping[str, str]) -> None:
    """Replace all assistants with this mark in their metadata by the wanted ones, by id."""
    async with _get_session_maker()() as session:
        marked = (Assistant.user_id == SYSTEM) & Assistant.metadata_dict.contains(dict(mark))
        stored = set((await session.scalars(select(Assistant.assistant_id).where(marked))).all())
        if unwanted := stored - wanted.keys():
            await session.execute(delete(Assistant).where(Assistant.assistant_id.in_(unwanted)))
        for id_, one in wanted.items():
            values: dict[str, Any] = {
                **{key: one[key] for key in ("graph_id", "name", "description", "context")},
                "config": {"assistant": id_},  # aegra allows one assistant per graph and config
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
