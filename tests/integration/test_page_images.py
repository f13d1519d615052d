"""The method over page pictures: what it ranks and cites, what it says of pages that it cannot search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.coloured_pages import ColourPages, draw_fleet, draw_pdf
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.graphs.page_images import build
from backtrail.ingest.pages.embed_pages import embed_pages
from backtrail.ingest.pipeline import ingest
from backtrail.state.page_images.settings import PageImagesSettings
from backtrail.state.settings import Settings
from backtrail.tools.corpus.errors import PagesMissing
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.pages import open as page_models
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

MODEL = "late-interaction:/models/coloured"
SINGLE = "cross-modal:/models/single"


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> dict[str, ColourPages]:
    """What the names of page models open."""
    made = {MODEL: ColourPages(), SINGLE: ColourPages("single")}
    monkeypatch.setattr(page_models, "_models", made)
    return made


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    files = draw_fleet(tmp_path / "files")
    ingest([files], "fleet", embedder="hashed", opened=HashedEmbedder())
    return files


def read_first(inputs: Any) -> dict[str, Any]:
    first = inputs.evidence[0]
    cited = [{"component": first.id, "sentence": 0}] if first.sentences else []
    return {"answer": (first.sentences or ["A sea."])[0], "citations": cited, "supported": True, "confidence": 0.5}


async def ask(question: str, **settings: Any) -> dict[str, Any]:
    toolbox = Toolbox(open_corpus=lambda name: open_corpus(name, embedder=HashedEmbedder()))
    toolbox.rules = ScriptedDecider({"answer": read_first})
    context = Settings(corpus="fleet", **settings)
    return await build(toolbox).compile().ainvoke({"question": question}, context=context)


def pages_of(found: dict[str, Any]) -> list[int | None]:
    """The page of each component, in ranked order."""
    return [found["evidence"][scored["id"]]["locator"].get("page") for scored in found["ranking"]]


async def test_components_follow_the_order_of_their_pages_and_name_them(fleet: Path) -> None:
    embed_pages("fleet", MODEL)
    found = await ask("Which one is blue and red ?")
    assert pages_of(found)[0] == 3
    scores = [scored["score"] for scored in found["ranking"]]
    assert scores == sorted(scores, reverse=True)
    assert max(scores) <= 1
    assert found["stop_reason"] == "single-shot"
    found = await ask("Which ship is green ?")
    [citation] = found["answer"]["citations"]
    assert "Another ship is green" in found["answer"]["text"]
    assert (citation["document"], citation["locator"]["page"]) == ("ships.pdf", 2)


async def test_all_components_of_a_page_come_before_those_of_the_next(tmp_path: Path) -> None:
    rows = ["Hull", "Mast", "Sail"]
    files = tmp_path / "files"
    draw_pdf(files / "parts.pdf", "A blue sheet", "A red sheet", lines={2: rows})
    ingest([files], "fleet", embedder="hashed", opened=HashedEmbedder())
    embed_pages("fleet", MODEL)
    found = await ask("red", k=10)
    pages = pages_of(found)
    assert pages == sorted(pages, key=lambda page: -(page or 0))
    ids = [scored["id"] for scored in found["ranking"]]
    children = open_corpus("fleet", embedder=HashedEmbedder()).children(["parts.pdf"])["parts.pdf"]
    assert [id_ for id_ in children if id_ in ids[: pages.count(2)]] == ids[: pages.count(2)]
    assert len((await ask("red", k=1))["ranking"]) == 1


async def test_documents_without_a_page_picture_are_a_recorded_failure(fleet: Path) -> None:
    embed_pages("fleet", MODEL)
    [failure] = (await ask("green"))["failures"]
    assert (failure["id"], failure["error"]) == ("retrieve@0", "PagesNotEmbedded")
    assert "no page is embedded: notes.html (only PDF files and pictures" in failure["message"]
    assert (await ask("green", documents=("ships.pdf",)))["failures"] == []


async def test_only_the_documents_of_the_settings_are_searched(fleet: Path) -> None:
    embed_pages("fleet", MODEL)
    found = await ask("blue", documents=("sea.png",))
    assert {one["document"] for one in found["evidence"].values()} == {"sea.png"}


async def test_without_page_vectors_the_run_says_what_to_do(fleet: Path) -> None:
    with pytest.raises(PagesMissing, match=r"backtrail corpus pages fleet late-interaction:FOLDER"):
        await ask("green")
    embed_pages("fleet", MODEL)
    with pytest.raises(PagesMissing, match=r"backtrail corpus pages fleet cross-modal:FOLDER"):
        await ask("green", page_images=PageImagesSettings(model="cross-modal"))


async def test_a_corpus_may_have_both_kinds_of_vectors(fleet: Path, models: dict[str, ColourPages]) -> None:
    embed_pages("fleet", MODEL)
    embed_pages("fleet", SINGLE)
    assert models[SINGLE].seen == 4
    assert (await ask("green", page_images=PageImagesSettings(model="cross-modal")))["ranking"]
    assert (await ask("green"))["ranking"]


async def test_the_state_holds_ids_and_numbers_and_both_times_are_charged(fleet: Path) -> None:
    embed_pages("fleet", MODEL)
    found = await ask("green")
    json.dumps({key: value for key, value in found.items() if key != "messages"})
    spent = found["usage"]["retrieve@0"]
    assert set(spent["seconds"]) == {"embedding", "vectors"}
    assert spent["calls"] == 0
