"""Runs of the page on one's own machine: whatever ends a run, the page is told."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fixtures.rust_panic import Panic
from fixtures.tiny_corpora import write_bundle

from backtrail.ingest.pipeline import ingest
from backtrail.server.ui.engine.local import UNSTARTED, LocalEngine
from backtrail.server.ui.engine.protocol import Asked, Moment
from backtrail.state.settings import Settings
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.toolbox import Toolbox


class Crashing(OfflineDecider):
    """Rules whose library panics."""

    async def decide(self, *args: Any, **kwargs: Any) -> Any:
        raise Panic("index out of bounds")


async def test_a_run_whose_library_crashes_is_over_for_the_page_too(tmp_path: Path) -> None:
    ingest([write_bundle(tmp_path / "bundle", {"a": ["The bridge opened in 1902."]})], "notes")
    toolbox = Toolbox()
    toolbox.rules = Crashing()
    engine = LocalEngine(toolbox)
    thread = await engine.ask(Asked("When did the bridge open?", "fif", Settings(corpus="notes")))
    async with asyncio.timeout(30):
        moments: list[Moment] = [moment async for moment in engine.follow(thread)]
    assert not moments[-1].working
    assert moments[-1].error.startswith("LibraryCrashed: A library crashed (Panic: index out of bounds)")


@pytest.mark.parametrize("turns", [0, 1])
async def test_a_run_stopped_before_its_first_step_says_so_and_is_resumed(tmp_path: Path, turns: int) -> None:
    ingest([write_bundle(tmp_path / "bundle", {"a": ["The bridge opened in 1902."]})], "notes")
    engine = LocalEngine()
    thread = await engine.ask(Asked("When did the bridge open?", "fif", Settings(corpus="notes")))
    for _ in range(turns):
        await asyncio.sleep(0)
    await engine.stop(thread)
    moment = await engine.moment(thread)
    assert moment is not None
    assert (moment.working, moment.error) == (False, UNSTARTED)
    await engine.resume(thread)
    async with asyncio.timeout(60):
        moments = [moment async for moment in engine.follow(thread)]
    assert "1902" in moments[-1].values["answer"]["text"]
    await engine.resume(thread)
    await engine.stop(thread)  # at once, but what it had stored is there
    assert await engine.moment(thread) is None
