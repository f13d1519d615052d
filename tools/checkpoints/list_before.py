"""Accept every form of ``before`` that clients send when they list checkpoints."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple


class ListBeforeAnyForm(BaseCheckpointSaver[str]):
    """Mixin of savers: the server passes a client's ``before`` as is, as id, checkpoint or config."""

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """List as the saver does. A ``before`` without a checkpoint id lists all."""
        listed: Any = super().alist(config, filter=filter, before=_config_of(before), limit=limit)
        async with aclosing(listed):
            async for one in listed:
                yield one


def _config_of(before: Any) -> RunnableConfig | None:
    place = before.get("configurable", before) if isinstance(before, dict) else {"checkpoint_id": before}
    id_ = cast("dict[str, Any]", place).get("checkpoint_id") if isinstance(place, dict) else None
    return {"configurable": {"checkpoint_id": id_}} if isinstance(id_, str) and id_ else None
