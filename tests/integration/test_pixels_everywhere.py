"""A picture that no word describes is found by its pixels, whichever method searches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.colour_encoder import ColourEncoder, draw
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.graphs.methods import find_method
from backtrail.ingest.pipeline import ingest
from backtrail.nodes.graph_traversal.picture_search import with_pictured_documents, with_pictures
from backtrail.state.mmapg.settings import MmapgSettings
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.toolbox import Toolbox

PLAIN = "<title>{0}</title><p>Notes on {0}.</p><p>{0} was written down on an evening in spring.</p>"
SHOWING = "<title>{0}</title><p>What stands here says nothing.</p><img src='{1}.png'>"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Plain pages, and three that show a picture of one colour each; no page says a colour."""
    tmp_path = tmp_path_factory.mktemp("pixels")
    pages = tmp_path / "pages"
    for name, colour in (("p1", "red"), ("p2", "lime"), ("p3", "blue")):
        draw(pages / f"{name}.png", colour)
        (pages / f"{name}.html").write_text(SHOWING.format(f"Sheet {name}", name))
    for number in range(30):
        (pages / f"n{number}.html").write_text(PLAIN.format(f"Note {number}"))
    files = sorted(pages.glob("*.html"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
        ingest(
            files, "seen", embedder="hashed", opened=HashedEmbedder(), pixels="colours", opened_pixels=ColourEncoder()
        )
    return tmp_path / "home"


@pytest.fixture
def seen(home: Path, monkeypatch: pytest.MonkeyPatch) -> StoredCorpus:
    monkeypatch.setenv("BACKTRAIL_HOME", str(home))
    return open_corpus("seen", embedder=HashedEmbedder(), pixels=ColourEncoder())


def pictures_of(corpus: StoredCorpus, found: list[str]) -> list[str]:
    return [key for key in found if (one := corpus.components([key]).get(key)) and one.image is not None]


def test_documents_and_components_take_in_what_pixels_find(seen: StoredCorpus) -> None:
    documents = [scored["id"] for scored in with_pictured_documents(seen, "lime", [], 1)]
    [found] = [scored["id"] for scored in with_pictures(seen, "lime", [], 1)]
    assert documents == [seen.components([found])[found].document]
    assert with_pictures(seen, "lime", [{"id": "x", "score": 0.5}], 2)[0]["id"] in {"x", found}


@pytest.mark.parametrize("variant", ["ours", "published"])
@pytest.mark.parametrize("method", ["fif", "ircot", "lilac", "mmapg"])
async def test_every_method_finds_it(seen: StoredCorpus, method: str, variant: Any) -> None:
    settings = Settings(corpus="seen", variant=variant, mmapg=MmapgSettings(retrieval_module=False))
    toolbox = Toolbox(open_corpus=lambda name: seen)
    values = await find_method(method).build(toolbox).compile().ainvoke({"question": "blue"}, context=settings)
    [wanted] = [scored["id"] for scored in seen.search_pictures("blue", 1)]
    assert wanted in values["evidence"]
    assert pictures_of(seen, list(values["evidence"]))
