"""Whose runs a thread holds, as its checkpoints say. The server's own list of threads forgets; these do not.

The server puts the name of whoever asked into the metadata of a run, and that of a run into its checkpoints'.
Runs of the command line, and of a server that was open, name nobody.
"""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple

from backtrail.tools.checkpoints.history import OWNER
from backtrail.tools.checkpoints.open import open_checkpoints

OWNER_KEY = "owner_key"
"""Key of the metadata of runs and crons: the mark of the key with which they were begun."""


async def has_run(thread: str, owner: str) -> bool:
    """Whether the thread holds a run of this owner."""
    return await _first(_place(thread), {OWNER: owner}) is not None


async def is_anothers(thread: str, owner: str) -> bool:
    """Whether the thread holds runs, and none of this owner."""
    return await _first(_place(thread)) is not None and not await has_run(thread, owner)


async def thread_of_run(run: str) -> str | None:
    """The thread that holds the checkpoints of a run; None when it has none."""
    held = await _first(None, {"run_id": run})
    return str(held.config.get("configurable", {}).get("thread_id")) if held else None


async def owned_threads(owner: str | None = None, *, limit: int | None = None) -> dict[str, str]:
    """Threads that hold runs of an owner, or of any, each with its owner.

    Args:
        limit: questions that are looked at, newest first; None looks at all.
    """
    # One checkpoint in a run is its input: far fewer to read than all.
    wanted = {"source": "input", **({OWNER: owner} if owner else {})}
    found: dict[str, str] = {}
    async with open_checkpoints() as saver:
        async for held in saver.alist(None, filter=wanted, limit=limit):
            if whose := held.metadata.get(OWNER):
                found.setdefault(str(held.config.get("configurable", {}).get("thread_id")), str(whose))
    return found


async def delete_owned(thread: str, owner: str) -> None:
    """Remove the checkpoints of a thread, unless it holds runs of others too."""
    async with open_checkpoints() as saver:
        begun = [held.metadata.get(OWNER) async for held in saver.alist(_place(thread), filter={"source": "input"})]
        if set(begun) == {owner}:
            await saver.adelete_thread(thread)


async def _first(place: RunnableConfig | None, filter: dict[str, str] | None = None) -> CheckpointTuple | None:
    async with open_checkpoints() as saver:
        # to its end, so that the listing is closed before the store is
        found = [held async for held in saver.alist(place, filter=filter, limit=1)]
    return found[0] if found else None


def _place(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}}
