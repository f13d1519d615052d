"""Resume failed and cancelled tasks from their beginning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP, BaseCheckpointSaver

_ERROR = "__error__"


class RetryFailedTasks(BaseCheckpointSaver[str]):
    """Goes before a saver. Keeps the error of a task that failed, not its results, so that resuming runs it again.

    LangGraph hands over what the task's node wrote as well, if the task ended between the node and the choice of the
    next one, and takes a task with such writes for done: the resumed run would end there, without an answer
    (langchain-ai/langgraph issue 8834, seen with 1.2.24).
    """

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save the writes of a task."""
        if any(channel == _ERROR for channel, _ in writes):
            writes = [write for write in writes if write[0] in WRITES_IDX_MAP]
        await super().aput_writes(config, writes, task_id, task_path)
