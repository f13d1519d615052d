"""Texts embedded in actors of Ray: the same vectors, and a killed copy costs its batches and nothing else."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle

from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.embedders.ray_actors import RayEmbedder
from backtrail.tools.errors import DependencyMissing, SettingsError


def test_engines_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    own = HashedEmbedder()
    with pytest.raises(SettingsError, match="Use local, ray, ray://"):
        RayEmbedder("offline", own, "dask")
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "many")
    with pytest.raises((SettingsError, DependencyMissing), match=r"BACKTRAIL_RAY_WORKERS|not installed"):
        RayEmbedder("offline", own, "ray")


def test_a_corpus_embedded_on_ray_is_the_same_and_survives_a_killed_copy(
    ray_here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "2")
    contents = {f"d{n}": [f"River {n} flows by town {n * 7}. It is {n} miles long."] for n in range(600)}
    bundle = write_bundle(tmp_path / "rivers", contents)
    here = ingest([bundle], "here", embedder="offline")
    whole, killed = RayEmbedder.embed, threading.Event()

    def embed(self: RayEmbedder, texts: list[str]):
        if not killed.is_set():
            killed.set()
            os.kill(self.actors.places()[0].process, signal.SIGKILL)
        return whole(self, texts)

    monkeypatch.setattr(RayEmbedder, "embed", embed)
    there = ingest([bundle], "there", embedder="offline", engine="ray")
    assert killed.is_set()
    assert (there.version, there.embedded) == (here.version, here.embedded)
    first, second = open_corpus("here"), open_corpus("there")
    query = first.embed(["how long is river 5"])
    assert first.search_components(query, "subcomponent", 10) == second.search_components(query, "subcomponent", 10)
