"""Runs of the page on one's own machine: whatever ends a run, the page is told."""

import asyncio
from pathlib import Path
from typing import Any

from fixtures.rust_panic import Panic
from fixtures.tiny_corpora import write_bundle

from backtrail.ingest.pipeline import ingest
from backtrail.server.ui.engine.local import LocalEngine
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
