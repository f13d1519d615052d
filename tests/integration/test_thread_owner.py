"""Whose runs a thread holds, from checkpoints in SQLite and in PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from backtrail.tools.access.thread_owner import belongs_to_other, has_run, thread_of_run
from backtrail.tools.checkpoints.open import open_checkpoints


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = tmp_path / "file.sqlite" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    monkeypatch.setenv("BACKTRAIL_CHECKPOINTS_URL", str(url))


async def keep(thread: str, metadata: Mapping[str, Any]) -> None:
    config: Any = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    async with open_checkpoints() as saver:
        await saver.aput(config, empty_checkpoint(), dict(metadata), {})  # type: ignore[arg-type]


@pytest.mark.usefixtures("store")
async def test_a_thread_belongs_to_whoever_ran_something_on_it() -> None:
    annas, nobodys, run = str(uuid.uuid4()), str(uuid.uuid4()), str(uuid.uuid4())
    await keep(annas, {"source": "input", "owner": "anna", "run_id": run})
    await keep(annas, {"source": "update"})  # a change of state by hand names nobody
    await keep(nobodys, {"source": "input"})
    assert await has_run(annas, "anna")
    assert not await has_run(annas, "bert")
    assert not await has_run(nobodys, "anna")
    assert not await belongs_to_other(annas, "anna")
    assert await belongs_to_other(annas, "bert")
    assert await belongs_to_other(nobodys, "anna")
    assert not await belongs_to_other(str(uuid.uuid4()), "anna")
    assert await thread_of_run(run) == annas
    assert await thread_of_run(str(uuid.uuid4())) is None
