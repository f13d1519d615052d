"""What two pages say alike takes one place in what a method ranks and quotes, and is told of both."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle

from backtrail.graphs.methods import find_method
from backtrail.ingest.pipeline import ingest
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.toolbox import Toolbox

NOTICE = "The ferry to the island of Hven runs from May to September, and dogs travel free of charge."
PAGES = {
    "harbour": ["Boats leave the harbour of Landskrona every hour.", NOTICE],
    "tickets": [NOTICE, "Tickets are sold at the pier."],
    "island": ["Hven is an island with an observatory.", "Tycho built it."],
}
TWINS = {"harbour#1", "tickets#0"}
QUESTION = "When does the ferry to Hven run and do dogs travel free?"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("said-once")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        bundle = write_bundle(folder / "bundle", PAGES, links=[("harbour", "tickets"), ("island", "harbour")])
        assert not ingest([bundle], "tiny", embedder="hashed", opened=HashedEmbedder()).failed
    return folder / "home"


@pytest.fixture
def ask(pages: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Awaitable[dict[str, Any]]]:
    monkeypatch.setenv("BACKTRAIL_HOME", str(pages))

    async def asked(method: str, **settings: Any) -> dict[str, Any]:
        toolbox = Toolbox(open_corpus=lambda name: open_corpus(name, embedder=HashedEmbedder()))
        machine = find_method(method).build(toolbox).compile()
        return await machine.ainvoke({"question": QUESTION}, context=Settings(corpus="tiny", **settings))

    return asked


@pytest.mark.parametrize("method", ["mmapg", "lilac", "ircot", "hm_rag"])
async def test_the_same_text_takes_one_place_and_is_told_of_both(method: str, ask: Callable[..., Any]) -> None:
    ended = await ask(method)
    [ranked] = [scored["id"] for scored in ended["ranking"] if scored["id"] in TWINS]
    [other] = TWINS - {ranked}
    answer = ended["answer"]
    [quoted] = [one for one in answer["citations"] or answer["quotes"] if one["component"] in TWINS]
    assert quoted["component"] == ranked
    assert [place["component"] for place in quoted["duplicates"]] == [other]


@pytest.mark.parametrize("method", ["mmapg", "lilac", "ircot", "hm_rag"])
async def test_as_published_each_has_its_own(method: str, ask: Callable[..., Any]) -> None:
    ended = await ask(method, variant="published")
    assert {scored["id"] for scored in ended["ranking"]} >= TWINS
