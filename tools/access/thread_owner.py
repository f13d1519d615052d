"""Whose runs a thread holds, as its checkpoints say. The server's own list of threads forgets; these do not.

The server puts the name of whoever asked into the metadata of a run, and that of a run into its checkpoints'.
Runs of the command line, and of a server that was open, name nobody.
"""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig

from backtrail.tools.checkpoints.open import open_checkpoints

OWNER = "owner"
"""Key of the metadata of threads, assistants, runs and checkpoints."""


async def has_run(thread: str, owner: str) -> bool:
    """Whether the thread holds a run of this owner."""
    async with open_checkpoints() as saver:
        async for _ in saver.alist(_place(thread), filter={OWNER: owner}, limit=1):
            return True
    return False


async def is_anothers(thread: str, owner: str) -> bool:
    """Whether the thread holds runs, and none of this owner."""
    async with open_checkpoints() as saver:
        async for _ in saver.alist(_place(thread), limit=1):
            break
        else:
            return False
    return not await has_run(thread, owner)


async def thread_of_run(run: str) -> str | None:
    """The thread that holds the checkpoints of a run; None when it has none."""
    async with open_checkpoints() as saver:
        async for held in saver.alist(None, filter={"run_id": run}, limit=1):
            return str(held.config.get("configurable", {}).get("thread_id"))
    return None


def _place(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}}
