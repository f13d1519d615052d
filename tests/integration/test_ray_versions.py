"""Actors of Ray that have other parsers or weights than the command end an ingest before it has changed anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.ingest.parsing import sources
from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.manage import describe, list_corpora
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.embedders.errors import EmbedderWeightsMismatch
from backtrail.tools.engine.errors import WorkersDiffer


class Told(Silent):
    """Knows the stage of the ingest."""

    now = ""

    def stage(self, name: str, total: int | None = None) -> None:
        self.now = name


@pytest.fixture(autouse=True)
def one_copy(ray_here: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "1")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(6):
        (folder / f"page{number}.md").write_text(f"# Page {number}\n\nSee [next](page{number + 1}.md).\n")
    return folder


def test_nodes_with_other_parsers_end_the_ingest_and_nothing_is_changed(
    pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_WORTH_RAY", 0.0)
    monkeypatch.setenv("BACKTRAIL_PARSE_WORKERS", "2")
    before = ingest([pages], "pages", embedder="offline").version
    for page in pages.glob("*.md"):
        page.write_text(page.read_text() + "\nMore.\n")
    with monkeypatch.context() as patch:
        patch.setattr("backtrail.ingest.parsing.ray_actors.parsers", lambda: "of another release")
        for corpus in ("pages", "new"):
            with pytest.raises(WorkersDiffer, match=r"has parsers of another version .* BACKTRAIL_PARSE_WORKERS=1"):
                ingest([pages], corpus, embedder="offline", engine="ray")
    assert list_corpora() == ["pages"]
    assert describe("pages").version == before
    assert ingest([pages], "pages", embedder="offline", engine="ray").changed == 6


def test_actors_with_other_weights_end_the_reading_at_once(pages: Path) -> None:
    told = Told()
    with pytest.raises(EmbedderWeightsMismatch, match=r"and 'hashed:32' here\. Give all of them the same weights"):
        ingest([pages], "other", embedder="offline", opened=HashedEmbedder(), engine="ray", progress=told)
    assert told.now == "read"  # and not when all was read
    assert list_corpora() == []
