"""Threads in a checkpoint store: which there are, what they were run with, and copies of their past."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from pydantic import ValidationError

from backtrail.state.settings import Settings
from backtrail.tools.errors import SettingsError

METHOD, SETTINGS, FORKED_FROM, FORKED_AT = "method", "settings", "forked_from", "forked_at"
"""Keys of a checkpoint's metadata."""

OWNER = "owner"
"""Key that the server sets, to the name of whoever asked, where there are keys."""

GRAPH = "graph_id"
"""Key that the server sets, whatever a client wrote there; the command line does not."""

QUESTIONS_READ = 2_000


@dataclass(frozen=True)
class Thread:
    """A thread, and when (ISO 8601) its checkpoint that was looked at was made."""

    id: str
    at: str
    metadata: Mapping[str, Any]

    @property
    def method(self) -> str:
        """The method it runs; the server calls it the graph's id."""
        return str(self.metadata.get(GRAPH) or self.metadata.get(METHOD) or "")

    @property
    def by_server(self) -> bool:
        """Whether a client of the server began it: its settings are not the host's word."""
        return GRAPH in self.metadata


def run_config(thread: str, method: str, settings: Settings, origin: Mapping[str, Any] | None = None) -> RunnableConfig:
    """The config of a run. What it holds goes into every checkpoint, so that the run can be resumed alike.

    Args:
        origin: for a fork, ``FORKED_FROM`` and ``FORKED_AT``.
    """
    return {
        "configurable": {"thread_id": thread},
        "metadata": {METHOD: method, SETTINGS: settings.model_dump_json(), **(origin or {})},
    }


def thread_config(thread: str) -> RunnableConfig:
    """The config that reads a thread."""
    return {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}


_RENAMED = {("fif", "lexical"): "words"}
"""Settings that were called otherwise when older runs were stored, by method."""


def _as_called_now(stored: dict[str, Any]) -> dict[str, Any]:
    named = dict(stored)
    for (method, old), new in _RENAMED.items():
        held = named.get(method)
        if isinstance(held, dict) and old in held:
            named[method] = {**{key: value for key, value in held.items() if key != old}, new: held[old]}
    return named


def settings_of_run(metadata: Mapping[str, Any]) -> Settings:
    """What a run was steered by. Runs of the server keep their context's fields one by one.

    Raises:
        SettingsError: they cannot be read; clients of the server write metadata of their own.
    """
    stored = metadata.get(SETTINGS)
    try:
        if isinstance(stored, str):
            stored = json.loads(stored)
        if stored is None:
            stored = {key: metadata[key] for key in Settings.model_fields if key in metadata}
        return Settings.model_validate(_as_called_now(stored) if isinstance(stored, dict) else stored)
    except json.JSONDecodeError as error:
        raise SettingsError("The settings that this run was started with cannot be read (no JSON).") from error
    except ValidationError as error:
        wrong = ", ".join(
            sorted({str(problem["loc"][0]) if problem["loc"] else SETTINGS for problem in error.errors()})
        )
        raise SettingsError(f"The settings that this run was started with cannot be read ({wrong[:200]}).") from error


async def recent_threads(saver: BaseCheckpointSaver[str], limit: int = 20, owner: str = "") -> list[Thread]:
    """The threads that were asked something last, newest first.

    Args:
        owner: only those with runs of this holder of a key; empty for all.
    """
    found: dict[str, Thread] = {}
    wanted = {"source": "input", **({OWNER: owner} if owner else {})}
    # One checkpoint in a run is its input: far fewer to read than all.
    async for held in saver.alist(None, filter=wanted, limit=QUESTIONS_READ):
        place = held.config.get("configurable", {})
        thread = str(place["thread_id"])
        if not place.get("checkpoint_ns") and thread not in found:
            found[thread] = Thread(thread, str(held.checkpoint["ts"]), dict(held.metadata))
        if len(found) == limit:
            break
    return list(found.values())


async def find_thread(saver: BaseCheckpointSaver[str], wanted: str) -> Thread:
    """The thread of that id, or whose id alone begins so.

    Raises:
        SettingsError: there is none, or several; lists what exists.
    """
    held = await saver.aget_tuple(thread_config(wanted))
    if held is not None:
        return Thread(wanted, str(held.checkpoint["ts"]), dict(held.metadata))
    threads = await recent_threads(saver, QUESTIONS_READ)
    matching = [thread.id for thread in threads if wanted and thread.id.startswith(wanted)]
    if len(matching) == 1:
        return await find_thread(saver, matching[0])
    if matching:
        raise SettingsError(f"Several threads begin with {wanted!r}: {', '.join(matching[:5])}. Give more of the id.")
    known = ", ".join(thread.id for thread in threads[:5]) or "none yet"
    raise SettingsError(f"There is no thread {wanted!r}. The latest: {known}. List them with: backtrail trace")


async def copy_history(
    saver: BaseCheckpointSaver[str], until: RunnableConfig, target: str, metadata: Mapping[str, Any]
) -> None:
    """Copy a checkpoint and its ancestors into a new thread, which then stands where the old one stood.

    Writes that were pending at the copied checkpoint stay behind, and so do the checkpoints of subgraphs: the step
    that made them is to run anew. What was sent to nodes side by side is part of the checkpoint, and comes along.

    Args:
        until: config of the last checkpoint to copy.
        metadata: entries to set in each copy.
    """
    lineage: list[CheckpointTuple] = []
    config: RunnableConfig | None = until
    while config is not None and (held := await saver.aget_tuple(config)) is not None:
        lineage.append(held)
        config = held.parent_config
    parent: str | None = None
    for held in reversed(lineage):
        ancestor = {} if parent is None else {"checkpoint_id": parent}
        place: RunnableConfig = {"configurable": {"thread_id": target, "checkpoint_ns": "", **ancestor}}
        merged: Any = {**held.metadata, **metadata, "thread_id": target}
        await saver.aput(place, held.checkpoint, merged, held.checkpoint["channel_versions"])
        parent = held.checkpoint["id"]
