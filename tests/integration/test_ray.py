"""What is done in processes of Ray is what is done here, and a killed copy or process costs what it had in hand."""

import asyncio
import os
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.linked_pages import linked_pages
from fixtures.staged import Staged
from fixtures.tiny_corpora import write_bundle

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.ray_workers import QuestionWorkers, question_workers_on
from backtrail.evals.runner import Evaluation, Job, evaluate
from backtrail.evals.tasks.custom import custom_task
from backtrail.ingest.change import store_documents
from backtrail.ingest.discover import Source, discover
from backtrail.ingest.parsed import Problem
from backtrail.ingest.parsing import jobs, sources
from backtrail.ingest.parsing.file import read_file
from backtrail.ingest.parsing.ray_actors import MODULE, KeptActor, ParsingCopy
from backtrail.ingest.parsing.workers import Workers
from backtrail.ingest.pipeline import ingest
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.embedders.ray_actors import RayEmbedder
from backtrail.tools.errors import DependencyMissing, SettingsError
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.workers.errors import FilesUnseen, WorkersDiffer

QUESTIONS = [Question(id=f"q{n}", question=f"How long is river {n}?", answers=(f"{n} miles",)) for n in range(8)]


def test_engines_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    own = HashedEmbedder()
    with pytest.raises(SettingsError, match="Use local, ray, ray://"):
        RayEmbedder("offline", own, "dask")
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "many")
    with pytest.raises((SettingsError, DependencyMissing), match=r"BACKTRAIL_RAY_WORKERS|not installed"):
        RayEmbedder("offline", own, "ray")


@pytest.fixture
def two_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """For each kind of work."""
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "2")


@pytest.fixture
def rivers(ray_here: None, two_copies: None, tmp_path: Path) -> Path:
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


# --- files parsed in actors --------------------------------------------------------------------------
LETTER = (
    "From someone@example.org Mon Jan  1 00:00:00 2024\nMessage-ID: <{0}@example.org>\nSubject: L{0}\n\nText {0}.\n\n"
)


@pytest.fixture
def folder(two_copies: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
    letters = "".join(LETTER.format(number) for number in range(100))
    return linked_pages(tmp_path / "folder", 6, {"letters.mbox": letters})


class Here:
    """Copies without Ray, which are lost before the turns of these numbers."""

    def __init__(self, module: str = MODULE, lost: tuple[int, ...] = ()) -> None:
        self.turns, self._module, self._lost = 0, module, lost
        self._copy = ParsingCopy(module)

    def call_at(self, _: int, method: str, *given: Any) -> Any:
        self.turns += 1
        if self.turns in self._lost:
            self.close()
            self._copy = ParsingCopy(self._module)
        said = getattr(self._copy, method)(*given)
        assert getattr(self._copy, method)(*given) == said  # what Ray repeats is done once
        return said

    def kill(self, _: int) -> None: ...

    def close(self) -> None:
        self._copy._process.close()


def parsed(folder: Path, actors: Any, count: int = 1) -> dict[str, list[Any]]:
    workers = Workers(count, process=lambda number: KeptActor(actors, number))
    try:
        handles = [workers.submit(source) for source in discover([folder])]
        return {handle.source.document_id: list(handle) for handle in handles}
    finally:
        workers.close()


def locally(folder: Path) -> dict[str, list[Any]]:
    return {source.document_id: list(read_file(source)) for source in discover([folder])}


def test_a_copy_that_is_lost_within_a_file_gives_the_rest_of_it(folder: Path) -> None:
    actors = Here(lost=(1, 2, 6, 40))
    assert parsed(folder, actors) == locally(folder)
    actors.close()


def test_a_file_with_which_every_copy_is_lost_is_told_of(folder: Path) -> None:
    actors = Here(lost=tuple(range(3, 12)))
    problem = parsed(folder, actors)["empty.pdf"][0]
    assert isinstance(problem, Problem)
    assert "lost 4 times" in problem.reason
    actors.close()


def test_a_node_that_does_not_see_the_files_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backtrail.ingest.parsing.ray_actors.size_of", lambda _: 7)
    actors = Here()
    with pytest.raises(FilesUnseen, match=r"bytes at that path.*same path on every node"):
        parsed(folder, actors)
    (folder / "page5.md").unlink()
    given = KeptActor(actors, 0)  # type: ignore[arg-type]
    given.send(jobs.Job(Source("markdown", folder / "page5.md", "page5.md", folder), -1, ""))
    with pytest.raises(FilesUnseen, match="does not see it"):
        given.receive()
    actors.close()


@pytest.mark.long
def test_an_ingest_that_parses_on_ray_is_that_of_one_process(
    ray_here: None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_WORTH_RAY", 0.0)
    monkeypatch.setenv("BACKTRAIL_PARSE_WORKERS", "2")
    whole, there = KeptActor.receive, list[int]()

    def receive(self: KeptActor) -> Any:
        there.append(self._number)
        return whole(self)

    monkeypatch.setattr(KeptActor, "receive", receive)
    reports = {engine: ingest([folder], engine, embedder="offline", engine=engine) for engine in ("local", "ray")}
    assert reports["local"].version == reports["ray"].version
    assert reports["local"].failed == reports["ray"].failed
    assert reports["local"].skipped == reports["ray"].skipped != []
    assert there
    again = ingest([folder], "ray", embedder="offline")
    assert (again.added, again.changed) == (0, 0)
