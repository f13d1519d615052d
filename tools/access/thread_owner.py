"""Owners of threads, from checkpoints, which outlive the server's own list of threads.

The server stores the owner in the metadata of a run, and LangGraph copies it into the checkpoints' metadata.
Runs of the command line, and of a server without keys, have no owner.
"""

from __future__ import annotations

import asyncio

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple

from backtrail.tools.access.records.feedback import forget_feedback
from backtrail.tools.checkpoints.history import OWNER
from backtrail.tools.checkpoints.open import open_checkpoints

OWNER_KEY = "owner_key"
"""Key of the metadata of runs and crons: the mark of the key that started them."""


async def has_run(thread: str, owner: str) -> bool:
    """Whether a thread contains a run of this owner."""
    return await _first(_place(thread), {OWNER: owner}) is not None


async def belongs_to_other(thread: str, owner: str) -> bool:
    """Whether a thread contains runs, but none of this owner."""
    return await _first(_place(thread)) is not None and not await has_run(thread, owner)


async def thread_of_run(run: str) -> str | None:
    """The thread with the checkpoints of a run; None without any."""
    one = await _first(None, {"run_id": run})
    return str(one.config.get("configurable", {}).get("thread_id")) if one else None


async def owned_threads(owner: str | None = None, *, limit: int | None = None) -> dict[str, str]:
    """Threads with runs of an owner, or of any owner, each with its owner.

    Args:
        limit: questions to look at, newest first; None for all.
    """
    # each run has one checkpoint of its input: far fewer to read than all
    wanted = {"source": "input", **({OWNER: owner} if owner else {})}
    found: dict[str, str] = {}
    async with open_checkpoints() as saver:
        async for one in saver.alist(None, filter=wanted, limit=limit):
            if run_owner := one.metadata.get(OWNER):
                found.setdefault(str(one.config.get("configurable", {}).get("thread_id")), str(run_owner))
    return found


async def delete_owned(thread: str, owner: str) -> None:
    """Delete the checkpoints of a thread, unless it also contains runs of others; "" owns those of no owner."""
    async with open_checkpoints() as saver:
        owners = [one.metadata.get(OWNER) async for one in saver.alist(_place(thread), filter={"source": "input"})]
        if set(owners) == {owner or None}:
            await saver.adelete_thread(thread)
            await asyncio.to_thread(forget_feedback, thread)


async def _first(place: RunnableConfig | None, filter: dict[str, str] | None = None) -> CheckpointTuple | None:
    async with open_checkpoints() as saver:
        # consumed to the end, so that the listing is closed before the store
        found = [one async for one in saver.alist(place, filter=filter, limit=1)]
    return found[0] if found else None


def _place(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}}
