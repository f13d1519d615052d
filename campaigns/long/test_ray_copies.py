"""Ray actors give the same results as local ones, and a lost process costs only its open work.

Actors with other parsers or weights than the command end an ingest before it changes anything.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from fixtures import ray_workers
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.linked_pages import linked_pages
from fixtures.ocr import draw_words, needs_tesseract
from fixtures.staged import Staged
from loopback.openai_server import OpenAIServer, Received, Said, reply

from backtrail.ingest.parsing import sources
from backtrail.ingest.pipeline import ingest
from backtrail.state.ingest_decisions import SUMMARIZE_DOCUMENT, SummarizeDocumentInputs
from backtrail.tools.corpus.manage import describe, list_corpora
from backtrail.tools.corpus.open import shared_embedder
from backtrail.tools.deciders.protocol import AT_ONCE, Decided, Decider, DecisionFailed
from backtrail.tools.deciders.ray_actors import RayDecider, deciding_on
from backtrail.tools.embedders.errors import EmbedderWeightsMismatch
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.embedders.ray_actors import RayEmbedder
from backtrail.tools.ocr.open import open_ocr
from backtrail.tools.ocr.ray_actors import reading_on
from backtrail.tools.workers.actors import Actors
from backtrail.tools.workers.cluster import HERE
from backtrail.tools.workers.errors import WorkersDiffer
from backtrail.tools.workers.resources import Resources

TOWNS = [f"Town{number}" for number in range(24)]


def answer(received: Received) -> Said:
    """Return the reply of the model about a town; for one it is unusable."""
    town = next(town for town in reversed(TOWNS) if town in received.text)
    return reply("no JSON" if town == "Town23" else {"summary": f"{town} in short."})


async def summed(decider: Decider) -> dict[str, object]:
    async def one(town: str) -> object:
        asked = SummarizeDocumentInputs(title=town, sections=[], text=f"{town} lies by a river.")
        try:
            done: Decided = await decider.decide(SUMMARIZE_DOCUMENT, asked)
        except DecisionFailed as error:
            return error.decision, error.charge["calls"], str(error)
        return done.output, done.charge["input_tokens"], done.notes

    return dict(zip(TOWNS, await asyncio.gather(*map(one, TOWNS)), strict=True))


@pytest.mark.long
async def test_a_model_says_the_same_and_a_killed_copy_repeats_what_it_had_in_hand(
    ray_here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "2")
    asked: Counter[str] = Counter()
    victim: list[int] = []
    lock = threading.Lock()

    def say(received: Received) -> Said:
        with lock:
            asked[next(town for town in reversed(TOWNS) if town in received.text)] += 1
            if sum(asked.values()) == 10 and victim:
                os.kill(victim.pop(), signal.SIGKILL)
        return answer(received)

    with OpenAIServer([say], forever=True) as server:
        model = f"openai-compatible:writer@{server.url}"
        with deciding_on("local", model, "towns") as here:
            wanted = await summed(here)
        once = asked.copy()
        asked.clear()
        with deciding_on("ray", model, "towns") as there:
            assert isinstance(there, RayDecider)
            assert there.at_once == 2 * AT_ONCE
            victim.append(there.actors.places()[0].process)
            assert await summed(there) == wanted
    assert not victim
    assert asked.keys() == once.keys()
    assert sum(asked.values()) - sum(once.values()) <= len(TOWNS) // 2  # the open work of one of two actors


@pytest.mark.long
def test_copies_that_ask_for_gpus_get_one_each(ray_here: None) -> None:
    pytest.importorskip("ray.cloudpickle").register_pickle_by_value(ray_workers)
    copies = Actors(HERE, ray_workers.Devices, (), what="model", resources=Resources(gpus=1))
    try:
        assert sorted(said for _, said in copies.each("visible")) == ["0", "1"]
    finally:
        copies.close()


@pytest.mark.long
@needs_tesseract
def test_pictures_are_read_there_and_remembered_here(
    ray_here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "1")
    picture = draw_words(tmp_path / "sign.png", "FERRY TO HARBOUR").read_bytes()
    with reading_on("ray", open_ocr("tesseract:auto")) as there:
        assert there.recall(picture) is None
        lines = there.read(picture)
    assert "FERRY" in " ".join(word.text for line in lines for word in line.words)
    own = open_ocr("tesseract:auto")
    assert own.recall(picture) == lines
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "another"))
    assert open_ocr("tesseract:auto").read(picture) == lines


@pytest.mark.long
def test_what_a_lost_node_had_in_hand_is_done_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    cluster_of_ray = pytest.importorskip("ray.cluster_utils").Cluster
    ray.shutdown()  # the local instance of other tests is no cluster
    cluster = cluster_of_ray(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        other = cluster.add_node(num_cpus=2)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        own = shared_embedder("offline")
        copies = RayEmbedder("offline", own, "ray")
        texts = [f"River {number} is {number} miles long." for number in range(400)]
        assert copies.requests_at_once == 4  # two for each node
        done: dict[int, Vectors] = {}

        def embed(part: int) -> None:
            done[part] = copies.embed(texts[100 * part : 100 * part + 100])

        at_work = [threading.Thread(target=embed, args=[part]) for part in range(4)]
        for one in at_work:
            one.start()
        cluster.remove_node(other, allow_graceful=False)
        for one in at_work:
            one.join()
        assert sorted(done) == list(range(4))
        assert np.allclose(np.concatenate([done[part] for part in range(4)]), own.embed(texts), atol=1e-5)
        copies.close()
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.mark.long
def test_nodes_with_other_parsers_end_the_ingest_and_nothing_is_changed(
    ray_here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = linked_pages(tmp_path / "pages", 6)
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


@pytest.mark.long
def test_actors_with_other_weights_end_the_reading_at_once(ray_here: None, tmp_path: Path) -> None:
    pages = linked_pages(tmp_path / "pages", 6)
    told = Staged()
    with pytest.raises(EmbedderWeightsMismatch, match=r"and 'hashed:32' here\. Give all of them the same weights"):
        ingest([pages], "other", embedder="offline", opened=HashedEmbedder(), engine="ray", progress=told)
    assert told.now == "read"  # and not when all was read
    assert list_corpora() == []
