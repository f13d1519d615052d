"""What is done in processes of Ray is what is done here, and a killed copy or process costs what it had in hand."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.staged import Staged
from fixtures.tiny_corpora import write_bundle

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.ray_workers import QuestionWorkers, question_workers_on
from backtrail.evals.runner import Evaluation, Job, evaluate
from backtrail.evals.tasks.custom import custom_task
from backtrail.ingest.change import store_documents
from backtrail.ingest.pipeline import ingest
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.embedders.ray_actors import RayEmbedder
from backtrail.tools.errors import DependencyMissing, SettingsError
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.workers.errors import WorkersDiffer

QUESTIONS = [Question(id=f"q{n}", question=f"How long is river {n}?", answers=(f"{n} miles",)) for n in range(8)]


def test_engines_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    own = HashedEmbedder()
    with pytest.raises(SettingsError, match="Use local, ray, ray://"):
        RayEmbedder("offline", own, "dask")
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "many")
    with pytest.raises((SettingsError, DependencyMissing), match=r"BACKTRAIL_RAY_WORKERS|not installed"):
        RayEmbedder("offline", own, "ray")


@pytest.fixture
def rivers(ray_here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundle, and two copies for each kind of work."""
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "2")
    contents = {f"d{n}": [f"River {n} flows by town {n * 7}. It is {n} miles long."] for n in range(120)}
    return write_bundle(tmp_path / "rivers", contents)


def test_actors_embed_what_was_read_while_more_is_read_and_one_is_killed(
    rivers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ingest([rivers], "here", embedder="offline")
    whole, lock, told = RayEmbedder.embed, threading.Lock(), Staged()
    asked: list[tuple[str, list[str]]] = []

    def embed(self: RayEmbedder, texts: list[str]):
        with lock:
            asked.append((told.now, texts))
            if len(asked) == 2:
                os.kill(self.actors.places()[0].process, signal.SIGKILL)
        return whole(self, texts)

    monkeypatch.setattr(RayEmbedder, "embed", embed)
    monkeypatch.setattr(RayEmbedder, "texts_a_request", 64)
    monkeypatch.setattr(store_documents, "BATCH", 20)
    there = ingest([rivers], "there", embedder="offline", engine="ray", progress=told)
    assert {stage for stage, _ in asked} == {"read"}
    assert max(Counter(text for _, texts in asked for text in texts).values()) == 1
    assert (there.version, there.embedded) == (here.version, here.embedded)
    first, second = open_corpus("here"), open_corpus("there")
    query = first.embed(["how long is river 5"])
    assert first.search_components(query, "subcomponent", 10) == second.search_components(query, "subcomponent", 10)


async def run(engine: str, **options: Any) -> Evaluation:
    job = Job(custom_task(Path("-"), "rivers"), "bm25", Settings(corpus="rivers"), QUESTIONS, 4, **options)
    async with question_workers_on(engine, [job.settings], 4) as askers:
        return await evaluate(job, Toolbox(), askers=askers)


def told(done: Evaluation) -> list[Outcome]:
    """All that is not a time."""
    return [outcome.model_copy(update={"seconds": 0.0, "stages": {}, "scores": {}}) for _, outcome in done.pairs]


async def test_outcomes_are_those_of_the_local_engine_though_a_process_is_killed(
    rivers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest([rivers], "rivers", embedder="offline")
    here = await run("local")
    whole, asked = QuestionWorkers.ask, 0

    async def ask(self: QuestionWorkers, *given: Any) -> Outcome:
        nonlocal asked
        asked += 1
        if asked == 3:
            places = await asyncio.to_thread(self.actors.places)
            os.kill(places[0].process, signal.SIGKILL)
        return await whole(self, *given)

    monkeypatch.setattr(QuestionWorkers, "ask", ask)
    there = await run("ray", fresh=True)
    assert (asked, there.questions_run) == (8, 8)
    assert told(there) == told(here)
    assert (await run("ray")).questions_run == 0

    monkeypatch.setattr("backtrail.evals.identity.behaviour", lambda: "edited")
    with pytest.raises(WorkersDiffer, match="has another code than this command"):
        await run("ray")
