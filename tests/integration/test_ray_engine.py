"""Texts embedded in actors of Ray while more is read: the same vectors, and a killed copy costs its batches alone."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle

from backtrail.ingest.change import storing
from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.embedders.ray_actors import RayEmbedder
from backtrail.tools.errors import DependencyMissing, SettingsError


def test_engines_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    own = HashedEmbedder()
    with pytest.raises(SettingsError, match="Use local, ray, ray://"):
        RayEmbedder("offline", own, "dask")
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "many")
    with pytest.raises((SettingsError, DependencyMissing), match=r"BACKTRAIL_RAY_WORKERS|not installed"):
        RayEmbedder("offline", own, "ray")


class Told(Silent):
    """Knows the stage of the ingest."""

    now = ""

    def stage(self, name: str, total: int | None = None) -> None:
        self.now = name


@pytest.fixture
def rivers(tmp_path: Path) -> Path:
    contents = {f"d{n}": [f"River {n} flows by town {n * 7}. It is {n} miles long."] for n in range(120)}
    return write_bundle(tmp_path / "rivers", contents)


def test_actors_embed_what_was_read_while_more_is_read_and_one_is_killed(
    ray_here: None, rivers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "2")
    here = ingest([rivers], "here", embedder="offline")
    whole, lock, told = RayEmbedder.embed, threading.Lock(), Told()
    asked: list[tuple[str, list[str]]] = []

    def embed(self: RayEmbedder, texts: list[str]):
        with lock:
            asked.append((told.now, texts))
            if len(asked) == 2:
                os.kill(self.actors.places()[0].process, signal.SIGKILL)
        return whole(self, texts)

    monkeypatch.setattr(RayEmbedder, "embed", embed)
    monkeypatch.setattr(RayEmbedder, "texts_a_request", 64)
    monkeypatch.setattr(storing, "BATCH", 20)
    there = ingest([rivers], "there", embedder="offline", engine="ray", progress=told)
    assert {stage for stage, _ in asked} == {"read"}
    assert max(Counter(text for _, texts in asked for text in texts).values()) == 1
    assert (there.version, there.embedded) == (here.version, here.embedded)
    first, second = open_corpus("here"), open_corpus("there")
    query = first.embed(["how long is river 5"])
    assert first.search_components(query, "subcomponent", 10) == second.search_components(query, "subcomponent", 10)
