"""Resume failed and cancelled tasks from their beginning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP, BaseCheckpointSaver

_ERROR = "__error__"


class RetryFailedTasks(BaseCheckpointSaver[str]):
    """Mixin of savers: stores the error of a failed task, not its writes, so that a resume runs it.

    If a task fails between its node and the choice of the next one, LangGraph passes the node's writes too, and counts
    a task with writes as done: the resumed run would end without an answer (langchain-ai/langgraph issue 8834, seen
    with 1.2.24).
    """

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save the writes of a task."""
        if any(channel == _ERROR for channel, _ in writes):
            writes = [write for write in writes if write[0] in WRITES_IDX_MAP]
        await super().aput_writes(config, writes, task_id, task_path)
