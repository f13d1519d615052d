"""The SQLite saver, tuned for one writer among several readers, with what the server asks of a saver."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from backtrail.tools.checkpoints.list_before import ListBeforeAnyForm
from backtrail.tools.checkpoints.retry_failed_tasks import RetryFailedTasks
from backtrail.tools.sqlite_file import connect

T = TypeVar("T")

_REMEDY = "Restore it from a backup, or move it away: its runs are lost then, and corpora are not."
_ROWS = 64  # read at once by aiosqlite, its default

_OF_RUN = "json_extract(CAST(metadata AS TEXT), '$.run_id') = ?"


class SqliteCheckpoints(RetryFailedTasks, ListBeforeAnyForm, AsyncSqliteSaver):
    """``AsyncSqliteSaver`` with removal by run and pruning, which the server uses for rollback and upkeep.

    What is being written when a run is cancelled is written to its end: an open transaction locks the file.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._writing: set[asyncio.Future[Any]] = set()

    async def aput(self, *args: Any, **kwargs: Any) -> RunnableConfig:
        """Save a checkpoint."""
        return await self._to_its_end(super().aput(*args, **kwargs))

    async def aput_writes(self, *args: Any, **kwargs: Any) -> None:
        """Save the writes of a task."""
        await self._to_its_end(super().aput_writes(*args, **kwargs))

    async def _to_its_end(self, write: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(write)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)

    async def settle(self) -> None:
        """Wait for all writes, also those of runs that were cancelled. Closed before, a connection keeps its lock."""
        while self._writing:
            await asyncio.wait(set(self._writing))

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Remove every checkpoint of these runs, with its writes."""
        await self.setup()
        async with self.lock:
            for run_id in run_ids:
                await self.conn.execute(
                    "DELETE FROM writes WHERE (thread_id, checkpoint_ns, checkpoint_id) IN "
                    f"(SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE {_OF_RUN})",
                    (str(run_id),),
                )
                await self.conn.execute(f"DELETE FROM checkpoints WHERE {_OF_RUN}", (str(run_id),))
            await self.conn.commit()

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep only the latest checkpoint of each thread and namespace, or none ('delete_all')."""
        if strategy not in ("keep_latest", "delete_all"):
            raise ValueError(f"Unknown strategy {strategy!r}; known are 'keep_latest' and 'delete_all'.")
        for thread_id in map(str, thread_ids):
            if strategy == "delete_all":
                await self.adelete_thread(thread_id)
            else:
                await self._keep_latest(thread_id)

    async def _keep_latest(self, thread_id: str) -> None:
        await self.setup()
        async with self.lock:
            for table in ("writes", "checkpoints"):  # writes first: they are found through the checkpoints
                await self.conn.execute(
                    f"DELETE FROM {table} WHERE thread_id = ? AND (checkpoint_ns, checkpoint_id) NOT IN "
                    "(SELECT checkpoint_ns, max(checkpoint_id) FROM checkpoints WHERE thread_id = ? "
                    "GROUP BY checkpoint_ns)",
                    (thread_id, thread_id),
                )
            await self.conn.commit()


@asynccontextmanager
async def open_sqlite(file: Path, serializer: SerializerProtocol) -> AsyncIterator[SqliteCheckpoints]:
    """The saver over a file, which is made if need be."""
    await asyncio.to_thread(file.parent.mkdir, parents=True, exist_ok=True)
    # Opened before aiosqlite's thread begins, which outlives the event loop where opening fails.
    opened = await asyncio.to_thread(connect, file, "checkpoints", _REMEDY, check_same_thread=False)
    async with aiosqlite.Connection(lambda: opened, _ROWS) as connection:
        # With a write-ahead log NORMAL survives a killed process; only a power cut can lose the last steps.
        await connection.execute("PRAGMA journal_mode=WAL")
        await connection.execute("PRAGMA synchronous=NORMAL")
        saver = SqliteCheckpoints(connection, serde=serializer)
        await saver.setup()
        try:
            yield saver
        finally:
            await saver.settle()
