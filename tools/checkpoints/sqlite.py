"""The SQLite saver, tuned for one writer and several readers, with the server's extra methods."""

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

_REMEDY = "Restore it from a backup, or move it away: its runs are lost then, but no corpora."
_ROWS = 64  # rows that aiosqlite reads at once, its default

_OF_RUN = "json_extract(CAST(metadata AS TEXT), '$.run_id') = ?"


class SqliteCheckpoints(RetryFailedTasks, ListBeforeAnyForm, AsyncSqliteSaver):
    """``AsyncSqliteSaver`` with deletion by run and pruning, which the server calls.

    Writes of a cancelled run are completed, because an open transaction locks the file.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._writing: set[asyncio.Future[Any]] = set()

    async def aput(self, *args: Any, **kwargs: Any) -> RunnableConfig:
        """Save a checkpoint."""
        return await self._complete(super().aput(*args, **kwargs))

    async def aput_writes(self, *args: Any, **kwargs: Any) -> None:
        """Save the writes of a task."""
        await self._complete(super().aput_writes(*args, **kwargs))

    async def _complete(self, write: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(write)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)

    async def settle(self) -> None:
        """Wait for all writes, also of cancelled runs: a connection closed earlier keeps its lock."""
        while self._writing:
            await asyncio.wait(set(self._writing))

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Delete the checkpoints and writes of runs."""
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
            raise ValueError(f"Unknown strategy {strategy!r}; use 'keep_latest' or 'delete_all'.")
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
    """Open the saver of a file, which is created if missing."""
    await asyncio.to_thread(file.parent.mkdir, parents=True, exist_ok=True)
    # Opened before aiosqlite's thread starts, which would outlive the event loop if opening failed.
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
