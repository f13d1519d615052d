"""One search by words and pixels; without pixels a recorded failure and words alone."""

from typing import Any

import pytest
from fixtures.ranked_corpus import RankedCorpus

from backtrail.graphs.dense_multimodal import build
from backtrail.state.settings import Settings
from backtrail.tools.corpus.errors import PixelsMismatch
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

BY_WORDS = ["text", "photo", "chart"]
BY_PIXELS = ["map", "photo"]


def gallery(**fields: Any) -> RankedCorpus:
    """A paragraph and three pictures."""
    return RankedCorpus({"text": "A text."}, BY_WORDS, BY_PIXELS, **fields)


def abstain(inputs: Any) -> dict[str, Any]:
    return {"answer": "Not found.", "supported": False, "confidence": 0.0}


async def ask(corpus: RankedCorpus, **settings: Any) -> dict[str, Any]:
    toolbox = Toolbox(open_corpus=lambda name: corpus)  # type: ignore[arg-type,return-value]
    toolbox.rules = ScriptedDecider({"answer": abstain})
    return await build(toolbox).compile().ainvoke({"question": "Where is it?"}, context=Settings(**settings))


async def test_pictures_found_by_pixels_join_what_words_found() -> None:
    found = await ask(gallery(), k=3)
    assert [scored["id"] for scored in found["ranking"]] == ["photo", "map", "text"]  # found twice, then ties by id
    assert set(found["evidence"]) == {"photo", "map", "text"}
    assert found["failures"] == []
    assert found["usage"]["retrieve@0"]["calls"] == 0


async def test_without_a_pixel_encoder_it_says_so_and_goes_by_words() -> None:
    found = await ask(gallery(sees_pixels=False))
    assert [scored["id"] for scored in found["ranking"]] == BY_WORDS
    assert [scored["score"] for scored in found["ranking"]] == pytest.approx([0.9, 0.8, 0.7])
    [failure] = found["failures"]
    assert failure["error"] == "PixelsMissing"
    assert "backtrail corpus reindex ranked --pixels ENCODER" in failure["message"]


async def test_an_encoder_that_fails_is_recorded_and_words_are_used() -> None:
    found = await ask(gallery(broken=PixelsMismatch("ranked", "old", "new", "clip:x")))
    assert [scored["id"] for scored in found["ranking"]] == BY_WORDS
    [failure] = found["failures"]
    assert (failure["id"], failure["error"]) == ("retrieve@0", "PixelsMismatch")
