"""Kill an ingest anywhere: the corpus is as it was, and the next run finishes the work."""

import signal
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.killed_ingest import bundle, run_victim

from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.manage import check, describe
from backtrail.tools.corpus.open import open_corpus

STAGES = ["read", "link", "embed", "vectors", "words", "publish", "index", "done"]
"""What is killed at the index or later has been published."""


def some(stages: list[str], *short: str) -> list[Any]:
    """All of them, of which the others than ``short`` are killed in ``make long`` alone."""
    return [one if one in short else pytest.param(one, marks=pytest.mark.long) for one in stages]


@pytest.mark.parametrize("stage", some(STAGES, "read", "vectors", "index"))
def test_killed_during_the_first_ingest(stage: str, tmp_path: Path, home: Path) -> None:
    source = bundle(tmp_path / "source", 20)
    assert run_victim(source, stage, home) == -signal.SIGKILL
    embedder = HashedEmbedder()
    report = ingest([source], "victim", embedder="hashed", opened=embedder)
    assert (report.added, report.unchanged) == ((0, 20) if stage in ("index", "done") else (20, 0))
    if STAGES.index(stage) > STAGES.index("embed"):
        assert embedder.embedded == []
    assert check("victim") == []
    assert describe("victim").documents == 20


@pytest.mark.parametrize("event", some(["4", "6", "9", "publish", "index", "done"], "6", "publish", "index"))
def test_killed_while_changing_a_corpus(event: str, tmp_path: Path, home: Path) -> None:
    source = bundle(tmp_path / "source", 20)
    before = ingest([source], "victim", embedder="hashed", opened=HashedEmbedder())
    bundle(source, 22, marker="changed")
    assert run_victim(source, event, home) == -signal.SIGKILL
    # readers have one of the two, whole
    corpus = open_corpus("victim", embedder=HashedEmbedder())
    assert (corpus.version == before.version) == (event not in ("index", "done"))
    assert check("victim") == []
    ingest([source], "victim", embedder="hashed", opened=HashedEmbedder())
    corpus = open_corpus("victim", embedder=HashedEmbedder())
    assert "changed" in (corpus.components(["d3#0"])["d3#0"].text or "")
    assert describe("victim").documents == 22
    assert check("victim") == []
    index = home / "corpora" / "victim" / "index"
    assert len(list(index.iterdir())) <= 2


@pytest.mark.parametrize("stage", some(["vectors", "words", "publish"], "words"))
def test_killed_while_taking_over_what_stays(stage: str, tmp_path: Path, home: Path) -> None:
    source = bundle(tmp_path / "source", 12)
    before = ingest([source], "victim", embedder="hashed", opened=HashedEmbedder())
    lines = (source / "components.jsonl").read_text()
    (source / "components.jsonl").write_text(lines.replace("First of 7", "Rewritten 7"))
    assert run_victim(source, stage, home) == -signal.SIGKILL
    assert open_corpus("victim", embedder=HashedEmbedder()).version == before.version
    assert check("victim") == []
    report = ingest([source], "victim", embedder="hashed", opened=HashedEmbedder())
    assert (report.changed, report.unchanged) == (1, 11)
    corpus = open_corpus("victim", embedder=HashedEmbedder())
    assert [hit["id"] for hit in corpus.search_lexical("rewritten", "component", 5)] == ["d7#0"]
    assert len(corpus.search_lexical("first", "component", 20)) == 11
    assert check("victim") == []


def test_vectors_of_a_killed_run_are_kept(tmp_path: Path, home: Path) -> None:
    source = bundle(tmp_path / "source", 40)
    assert run_victim(source, "8", home) == -signal.SIGKILL
    embedder = HashedEmbedder()
    report = ingest([source], "victim", embedder="hashed", opened=embedder)
    texts = set(embedder.embedded)
    assert len(embedder.embedded) == len(texts) == report.embedded
    assert 0 < report.embedded < 40 * 5
