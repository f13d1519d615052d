"""A checkpointer that retries when Postgres restarts.

A step whose result could not be stored would run again and pay for its model calls again. Calls of a saver are
idempotent: each write has its own key.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)

from backtrail.tools.checkpoints.retry_outages import retrying_outages


class RetryingCheckpointer(BaseCheckpointSaver[Any]):
    """A saver whose calls are retried through outages of its database."""

    def __init__(self, saver: BaseCheckpointSaver[Any]) -> None:
        super().__init__(serde=saver.serde)
        self._saver = saver

    @property
    def config_specs(self) -> list[Any]:
        """The saver's."""
        return self._saver.config_specs

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Get a checkpoint."""
        return await retrying_outages(lambda: self._saver.aget_tuple(config))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """List checkpoints; an interrupted listing is not retried."""
        async for one in self._saver.alist(config, filter=filter, before=before, limit=limit):
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint."""
        return await retrying_outages(lambda: self._saver.aput(config, checkpoint, metadata, new_versions))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save the writes of a task."""
        await retrying_outages(lambda: self._saver.aput_writes(config, writes, task_id, task_path))

    def get_next_version(self, current: Any, channel: None) -> Any:
        """The saver's next version."""
        return self._saver.get_next_version(current, channel)

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> RetryingCheckpointer:
        """This saver with a larger allowlist."""
        return RetryingCheckpointer(self._saver.with_allowlist(extra_allowlist))
