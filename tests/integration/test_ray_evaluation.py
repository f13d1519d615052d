"""Questions asked by processes of Ray: the outcomes of the local engine, and a killed process costs none of them."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from fixtures.tiny_corpora import write_bundle

from backtrail.evals.askers import Askers, askers_on
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.runner import Evaluated, Job, evaluate
from backtrail.evals.tasks.custom import custom_task
from backtrail.ingest.pipeline import ingest
from backtrail.state.settings import Settings
from backtrail.tools.engine.errors import WorkersDiffer
from backtrail.tools.toolbox import Toolbox

QUESTIONS = [Question(id=f"q{n}", question=f"How long is river {n}?", answers=(f"{n} miles",)) for n in range(8)]


@pytest.fixture
def rivers(ray_here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "2")
    contents = {f"d{n}": [f"River {n} flows by town {n * 7}. It is {n} miles long."] for n in range(8)}
    ingest([write_bundle(tmp_path / "rivers", contents)], "rivers", embedder="offline")


async def run(engine: str, **options: bool) -> Evaluated:
    job = Job(custom_task(Path("-"), "rivers"), "bm25", Settings(corpus="rivers"), QUESTIONS, 4, **options)
    async with askers_on(engine, [job.settings], 4) as askers:
        return await evaluate(job, Toolbox(), askers=askers)


def told(done: Evaluated) -> list[Outcome]:
    """All that is not a time."""
    return [outcome.model_copy(update={"seconds": 0.0, "stages": {}, "scores": {}}) for _, outcome in done.pairs]


async def test_outcomes_are_those_of_the_local_engine_though_a_process_is_killed(
    rivers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await run("local")
    whole, asked = Askers.ask, 0

    async def ask(self: Askers, *given: object) -> Outcome:
        nonlocal asked
        asked += 1
        if asked == 3:
            places = await asyncio.to_thread(self.actors.places)
            os.kill(places[0].process, signal.SIGKILL)
        return await whole(self, *given)

    monkeypatch.setattr(Askers, "ask", ask)
    there = await run("ray", fresh=True)
    assert (asked, there.asked) == (8, 8)
    assert told(there) == told(here)
    assert (await run("ray")).asked == 0

    monkeypatch.setattr("backtrail.evals.identity.behaviour", lambda: "edited")
    with pytest.raises(WorkersDiffer, match="has another code than this command"):
        await run("ray")
