"""Files parsed in actors of Ray: the same corpus, and a killed actor repeats what it had in hand and nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from fixtures.linked_pages import linked_pages

from backtrail.ingest.discover import Source, discover
from backtrail.ingest.parsed import Problem
from backtrail.ingest.parsing import sources
from backtrail.ingest.parsing.file import read_file
from backtrail.ingest.parsing.jobs import Job
from backtrail.ingest.parsing.ray_actors import MODULE, KeptActor, ParsingCopy
from backtrail.ingest.parsing.workers import Workers
from backtrail.ingest.pipeline import ingest
from backtrail.tools.workers.errors import FilesUnseen

LETTER = (
    "From someone@example.org Mon Jan  1 00:00:00 2024\nMessage-ID: <{0}@example.org>\nSubject: L{0}\n\nText {0}.\n\n"
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
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


def test_a_parser_that_crashes_there_costs_its_file_alone(folder: Path) -> None:
    (folder / "crash.txt").write_text("Text.")
    actors = Here("fixtures.faulty_parser")
    found, here = parsed(folder, actors), locally(folder)
    assert "took too long" in found.pop("crash.txt")[0].reason
    assert found == {name: entries for name, entries in here.items() if name != "crash.txt"}
    actors.close()


def test_a_node_that_does_not_see_the_files_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backtrail.ingest.parsing.ray_actors.size_of", lambda _: 7)
    actors = Here()
    with pytest.raises(FilesUnseen, match=r"bytes at that path.*same path on every node"):
        parsed(folder, actors)
    (folder / "page5.md").unlink()
    given = KeptActor(actors, 0)  # type: ignore[arg-type]
    given.send(Job(Source("markdown", folder / "page5.md", "page5.md", folder), -1, ""))
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
    assert reports["local"].failed == reports["ray"].failed != []
    assert there
    again = ingest([folder], "ray", embedder="offline")
    assert (again.added, again.changed) == (0, 0)
