"""Accept every form of ``before`` that clients send when they list checkpoints."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple


class ListBeforeAnyForm(BaseCheckpointSaver[str]):
    """Goes before a saver. The server hands it a client's ``before`` as it came: an id, a checkpoint, or a config."""

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """As the saver lists. What names no checkpoint is before none, and lists all."""
        listed: Any = super().alist(config, filter=filter, before=_config_of(before), limit=limit)
        async with aclosing(listed):
            async for held in listed:
                yield held


def _config_of(before: Any) -> RunnableConfig | None:
    place = before.get("configurable", before) if isinstance(before, dict) else {"checkpoint_id": before}
    named = cast("dict[str, Any]", place).get("checkpoint_id") if isinstance(place, dict) else None
    return {"configurable": {"checkpoint_id": named}} if isinstance(named, str) and named else None
