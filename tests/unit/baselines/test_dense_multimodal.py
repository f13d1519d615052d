"""One search by words and pixels; without pixels a recorded failure and words alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pytest

from backtrail.graphs.dense_multimodal import build
from backtrail.state.component import Component, Document, Picture
from backtrail.state.hop import Granularity, Scored
from backtrail.state.settings import Settings
from backtrail.tools.corpus.errors import PixelsMismatch
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

BY_WORDS = ["text", "photo", "chart"]
BY_PIXELS = ["map", "photo"]


class Gallery:
    """A paragraph and three pictures."""

    name, version = "gallery", "1"

    def __init__(self, sees_pixels: bool = True, broken: Exception | None = None) -> None:
        self.sees_pixels = sees_pixels
        self._broken = broken

    def language(self, text: str) -> str:
        return "en"

    def embed(self, texts: Sequence[str]) -> Any:
        return np.ones((len(texts), 2), np.float32)

    def search_components(self, query: Any, granularity: Granularity, limit: int) -> list[Scored]:
        return [Scored(id=key, score=0.9 - 0.1 * rank) for rank, key in enumerate(BY_WORDS)][:limit]

    def search_pictures(self, text: str, limit: int) -> list[Scored]:
        if self._broken:
            raise self._broken
        return [Scored(id=key, score=0.3 - 0.1 * rank) for rank, key in enumerate(BY_PIXELS)][:limit]

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        def one(key: str) -> Component:
            shown: dict[str, Any] = {"text": "A text."} if key == "text" else {"image": Picture(title=key)}
            return Component(id=key, document="d", position=0, modality="text" if key == "text" else "image", **shown)

        return {key: one(key) for key in ids}

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        return {key: Document(id=key, title="Gallery") for key in ids}

    def rarity(self, terms: Collection[str]) -> dict[str, float]:
        return dict.fromkeys(terms, 1.0)

    def component_terms(self, ids: Collection[str]) -> dict[str, frozenset[str]]:
        return {key: frozenset() for key in ids}


def abstain(inputs: Any) -> dict[str, Any]:
    return {"answer": "Not found.", "supported": False, "confidence": 0.0}


async def ask(gallery: Gallery, **settings: Any) -> dict[str, Any]:
    toolbox = Toolbox(open_corpus=lambda name: gallery)  # type: ignore[arg-type,return-value]
    toolbox.rules = ScriptedDecider({"answer": abstain})
    return await build(toolbox).compile().ainvoke({"question": "Where is it?"}, context=Settings(**settings))


async def test_pictures_found_by_pixels_join_what_words_found() -> None:
    found = await ask(Gallery(), k=3)
    assert [scored["id"] for scored in found["ranking"]] == ["photo", "map", "text"]  # found twice, then ties by id
    assert set(found["evidence"]) == {"photo", "map", "text"}
    assert found["failures"] == []
    assert found["usage"]["retrieve@0"]["calls"] == 0


async def test_without_a_pixel_encoder_it_says_so_and_goes_by_words() -> None:
    found = await ask(Gallery(sees_pixels=False))
    assert [scored["id"] for scored in found["ranking"]] == BY_WORDS
    assert [scored["score"] for scored in found["ranking"]] == pytest.approx([0.9, 0.8, 0.7])
    [failure] = found["failures"]
    assert failure["error"] == "PixelsMissing"
    assert "backtrail corpus reindex gallery --pixels ENCODER" in failure["message"]


async def test_an_encoder_that_fails_is_recorded_and_words_are_used() -> None:
    found = await ask(Gallery(broken=PixelsMismatch("gallery", "old", "new", "clip:x")))
    assert [scored["id"] for scored in found["ranking"]] == BY_WORDS
    [failure] = found["failures"]
    assert (failure["id"], failure["error"]) == ("retrieve@0", "PixelsMismatch")
