"""Models and OCR in actors of Ray say what they say here, and a killed copy repeats what it had in hand."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import Counter
from pathlib import Path

import pytest
from fixtures import ray_workers
from fixtures.ocr import draw_words, needs_tesseract
from loopback.openai_server import OpenAIServer, Received, Said, reply

from backtrail.state.ingest_decisions import SUMMARIZE_DOCUMENT, SummarizeDocumentInputs
from backtrail.tools.deciders.protocol import AT_ONCE, Decided, Decider, DecisionFailed
from backtrail.tools.deciders.ray_actors import RayDecider, deciding_on
from backtrail.tools.engine.actors import Actors
from backtrail.tools.engine.cluster import HERE
from backtrail.tools.engine.resources import Resources
from backtrail.tools.ocr.open import open_ocr
from backtrail.tools.ocr.ray_actors import reading_on

TOWNS = [f"Town{number}" for number in range(24)]


def answer(received: Received) -> Said:
    """What the model says of a town; of one it says nothing that can be used."""
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
    assert sum(asked.values()) - sum(once.values()) <= len(TOWNS) // 2  # what one copy of two had in hand


def test_copies_that_ask_for_gpus_get_one_each(ray_here: None) -> None:
    pytest.importorskip("ray.cloudpickle").register_pickle_by_value(ray_workers)
    copies = Actors(HERE, ray_workers.Devices, (), what="model", resources=Resources(gpus=1))
    try:
        assert sorted(said for _, said in copies.each("visible")) == ["0", "1"]
    finally:
        copies.close()


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
