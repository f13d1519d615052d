"""Threads of a checkpoint store: list them, read their settings, copy their history."""

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
"""Metadata key that a server with keys sets to the owner's name."""

GRAPH = "graph_id"
"""Metadata key that the server sets, overwriting a client's value; the command line does not set it."""

QUESTIONS_READ = 2_000


@dataclass(frozen=True)
class Thread:
    """A thread, with the time (ISO 8601) and metadata of one of its checkpoints."""

    id: str
    at: str
    metadata: Mapping[str, Any]

    @property
    def method(self) -> str:
        """The method that it runs, from the server's graph id or ours."""
        return str(self.metadata.get(GRAPH) or self.metadata.get(METHOD) or "")

    @property
    def by_server(self) -> bool:
        """Whether a client of the server started it, so that its settings are not the host's."""
        return GRAPH in self.metadata


def run_config(thread: str, method: str, settings: Settings, origin: Mapping[str, Any] | None = None) -> RunnableConfig:
    """The config of a run. It goes into every checkpoint, so that the run resumes with it.

    Args:
        origin: for a fork, ``FORKED_FROM`` and ``FORKED_AT``.
    """
    return {
        "configurable": {"thread_id": thread},
        "metadata": {METHOD: method, SETTINGS: settings.model_dump_json(), **(origin or {})},
    }


def thread_config(thread: str) -> RunnableConfig:
    """The config to read a thread with."""
    return {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}


_RENAMED = {("fif", "lexical"): "words"}
"""Settings that had other names in older runs, by method."""


def _with_current_names(stored: dict[str, Any]) -> dict[str, Any]:
    named = dict(stored)
    for (method, old), new in _RENAMED.items():
        own = named.get(method)
        if isinstance(own, dict) and old in own:
            named[method] = {**{key: value for key, value in own.items() if key != old}, new: own[old]}
    return named


def settings_of_run(metadata: Mapping[str, Any]) -> Settings:
    """The settings of a run. Runs of the server store the fields of their context one by one.

    Raises:
        SettingsError: they are invalid; clients of the server can write metadata.
    """
    stored = metadata.get(SETTINGS)
    try:
        if isinstance(stored, str):
            stored = json.loads(stored)
        if stored is None:
            stored = {key: metadata[key] for key in Settings.model_fields if key in metadata}
        return Settings.model_validate(_with_current_names(stored) if isinstance(stored, dict) else stored)
    except json.JSONDecodeError as error:
        raise SettingsError("The settings that this run was started with cannot be read (not JSON).") from error
    except ValidationError as error:
        wrong = ", ".join(
            sorted({str(problem["loc"][0]) if problem["loc"] else SETTINGS for problem in error.errors()})
        )
        raise SettingsError(f"The settings that this run was started with cannot be read ({wrong[:200]}).") from error


async def recent_threads(saver: BaseCheckpointSaver[str], limit: int = 20, owner: str = "") -> list[Thread]:
    """The threads with the latest questions, newest first.

    Args:
        owner: only those with runs of this holder of a key; empty for all.
    """
    found: dict[str, Thread] = {}
    wanted = {"source": "input", **({OWNER: owner} if owner else {})}
    # each run has one checkpoint of its input: far fewer to read than all
    async for stored in saver.alist(None, filter=wanted, limit=QUESTIONS_READ):
        place = stored.config.get("configurable", {})
        thread = str(place["thread_id"])
        if not place.get("checkpoint_ns") and thread not in found:
            found[thread] = Thread(thread, str(stored.checkpoint["ts"]), dict(stored.metadata))
        if len(found) == limit:
            break
    return list(found.values())


async def find_thread(saver: BaseCheckpointSaver[str], wanted: str) -> Thread:
    """The thread with an id, or the only one whose id begins with it.

    Raises:
        SettingsError: there is none, or several; lists existing ones.
    """
    stored = await saver.aget_tuple(thread_config(wanted))
    if stored is not None:
        return Thread(wanted, str(stored.checkpoint["ts"]), dict(stored.metadata))
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
    """Copy a checkpoint and its ancestors into a new thread, which continues from there.

    Pending writes of the copied checkpoint and checkpoints of subgraphs are not copied: their step runs again. Payloads
    of ``Send`` are part of the checkpoint and are copied.

    Args:
        until: config of the last checkpoint to copy.
        metadata: entries to set in each copy.
    """
    lineage: list[CheckpointTuple] = []
    config: RunnableConfig | None = until
    while config is not None and (stored := await saver.aget_tuple(config)) is not None:
        lineage.append(stored)
        config = stored.parent_config
    parent: str | None = None
    for stored in reversed(lineage):
        ancestor = {} if parent is None else {"checkpoint_id": parent}
        place: RunnableConfig = {"configurable": {"thread_id": target, "checkpoint_ns": "", **ancestor}}
        merged: Any = {**stored.metadata, **metadata, "thread_id": target}
        await saver.aput(place, stored.checkpoint, merged, stored.checkpoint["channel_versions"])
        parent = stored.checkpoint["id"]
