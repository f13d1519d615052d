"""CogPlanner with the rules alone, over a corpus that stands for the web."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.scripted_searches import stored_picture

from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.state.web_settings import WebSettings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.toolbox import Toolbox


@pytest.fixture
def toolbox(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Toolbox:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tiny_home))
    corpus = open_corpus("tiny", embedder=HashedEmbedder())
    return Toolbox(open_corpus=lambda name: corpus)


async def ask(toolbox: Toolbox, method: str, question: str, settings: Settings, image: str | None = None) -> Any:
    machine = find_method(method).build(toolbox).compile()
    return await machine.ainvoke({"question": question, "image": image}, context=settings)


@pytest.mark.parametrize("paradigm", ["sequential", "parallel"])
async def test_a_fact_is_searched_once_and_answered_from_a_cited_component(toolbox: Toolbox, paradigm: Any) -> None:
    settings = Settings(corpus="tiny", cogplanner={"paradigm": paradigm}, offline={"min_confidence": "low"})  # type: ignore[arg-type]
    values = await ask(toolbox, "cogplanner", "When was Voyager 2 launched?", settings)
    assert values["answer"]["text"] == "20 August 1977"
    assert [citation["component"] for citation in values["answer"]["citations"]] == ["voyager#0"]
    assert [one["action"] for one in values["rounds"]] == ["text search", "no search"]
    assert values["failures"] == []


async def test_a_corpus_without_pixels_fails_the_search_by_picture_and_goes_on_by_words(toolbox: Toolbox) -> None:
    question = "When was this spacecraft launched?"
    values = await ask(toolbox, "cogplanner", question, Settings(corpus="tiny"), stored_picture(5))
    assert [search["outcome"] for search in values["searches"]][:1] == ["failed"]
    assert [one["action"] for one in values["rounds"]][:2] == ["image search", "text search"]
    assert "--pixels" in values["failures"][0]["message"]
    assert values["answer"]["text"]


@pytest.mark.parametrize("method", ["cogplanner", "fixed_text", "fixed_image", "self_rag"])
async def test_with_search_switched_off_or_without_a_key_every_method_abstains_and_says_that_nobody_looked(
    toolbox: Toolbox, method: str
) -> None:
    for web, error in (
        (WebSettings(provider="none"), "switched off"), (WebSettings(provider="serpapi"), "SERPAPI_API_KEY"),
    ):  # fmt: skip
        settings = Settings(corpus="tiny", web=web)
        values = await ask(toolbox, method, "When was Voyager 2 launched?", settings)
        assert values["answer"]["abstained"]
        assert {search["outcome"] for search in values["searches"]} == {"failed"}
        assert error in values["failures"][0]["message"]
        assert values["failures"][0]["error"] == "SearchRejected"
