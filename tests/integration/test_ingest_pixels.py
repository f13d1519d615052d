"""Pictures embedded by their pixels: ingested, found, kept up to date, forgotten."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from fixtures.colour_encoder import ColourEncoder, draw
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.graphs.methods import find_method
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.nodes.graph_traversal.picture_search import with_pictured_documents, with_pictures
from backtrail.state.mmapg.settings import MmapgSettings
from backtrail.state.settings import Settings
from backtrail.tools.corpus import pixels as pixel_encoders
from backtrail.tools.corpus.errors import PictureUnreadable, PixelsMismatch
from backtrail.tools.corpus.generation import generation_folder, open_generation
from backtrail.tools.corpus.manage import check, delete_documents, describe, reindex
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_picture import open_picture
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.home import corpus_folder
from backtrail.tools.toolbox import Toolbox

PAGE = "<title>{0}</title><p>What {0} shows.</p><img src='{1}.png'><img src='{2}.png'>"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Two pages of two pictures whose names say nothing. One file is shown by both."""
    folder = tmp_path / "pages"
    for name, colour in (("p1", "red"), ("p2", "lime"), ("p3", "blue")):
        draw(folder / f"{name}.png", colour)
    (folder / "first.html").write_text(PAGE.format("First", "p1", "p2"))
    (folder / "second.html").write_text(PAGE.format("Second", "p2", "p3"))
    return folder


@pytest.fixture
def encoder() -> ColourEncoder:
    return ColourEncoder()


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> ColourEncoder:
    """What the recorded name opens from now on."""
    made = ColourEncoder()
    monkeypatch.setattr(pixel_encoders, "_encoders", {})
    monkeypatch.setattr(pixel_encoders, "open_pixel_embedder", lambda name, **_: made)
    return made


def run(pages: Path, encoder: ColourEncoder | None = None) -> IngestReport:
    """Ingest the pages alone; their pictures belong to them."""
    files = sorted(pages.glob("*.html"))
    name = "colours" if encoder else None
    return ingest(files, "seen", embedder="hashed", opened=HashedEmbedder(), pixels=name, opened_pixels=encoder)


def opened(encoder: ColourEncoder | None = None) -> StoredCorpus:
    return open_corpus("seen", embedder=HashedEmbedder(), pixels=encoder)


def found(corpus: StoredCorpus, text: str, limit: int = 9, documents: list[str] | None = None) -> list[str]:
    return [scored["id"] for scored in corpus.search_pictures(text, limit, documents)]


def pictures(corpus: StoredCorpus, document: str) -> list[str]:
    held = corpus.components(corpus.children([document])[document])
    return [id_ for id_, component in held.items() if component.modality == "image"]


def test_pictures_are_found_by_what_they_show(pages: Path, encoder: ColourEncoder) -> None:
    assert not run(pages, encoder).failed
    assert len(encoder.seen) == 3, "a file that is shown twice is embedded once"
    corpus = opened(encoder)
    red, green = pictures(corpus, "first.html")
    same, blue = pictures(corpus, "second.html")
    assert corpus.sees_pixels
    assert found(corpus, "a red thing", 1) == [red]
    assert found(corpus, "green", 2) == [green, same]
    assert found(corpus, "blue", 1) == [blue]
    assert found(corpus, "red", documents=["second.html"]) == [same, blue]
    assert found(corpus, "red", documents=[]) == found(corpus, "red", 0) == []
    scores = [scored["score"] for scored in corpus.search_pictures("red", 9)]
    assert scores == sorted(scores, reverse=True)
    assert check("seen") == []
    assert (describe("seen").pixels, describe("seen").pixel_model) == ("colours", "colours")


def test_again_embeds_nothing_and_what_is_new_is_embedded_by_the_recorded_encoder(
    pages: Path, encoder: ColourEncoder, recorded: ColourEncoder
) -> None:
    first = run(pages, encoder)
    again = run(pages)
    assert (again.unchanged, again.version, describe("seen").generation) == (2, first.version, 1)
    draw(pages / "p4.png", "yellow")
    (pages / "third.html").write_text(PAGE.format("Third", "p3", "p4"))
    assert run(pages).added == 1
    assert len(recorded.seen) == 1
    assert found(opened(), "red green", 1) == pictures(opened(), "third.html")[1:]
    assert check("seen") == []


def test_an_encoder_can_come_later_and_be_forgotten(pages: Path, encoder: ColourEncoder) -> None:
    plain = run(pages).version
    assert not opened().sees_pixels
    assert opened().search_pictures("red", 9) == []
    assert open_generation(corpus_folder("seen"), 1).pictures is None
    assert not (corpus_folder("seen") / "vectors" / "pixels").exists()
    seen = run(pages, encoder)
    assert (seen.unchanged, seen.embedded, len(encoder.seen)) == (2, 0, 3)
    assert seen.version != plain
    assert opened(encoder).sees_pixels
    assert reindex("seen", opened=HashedEmbedder()).version == seen.version, "kept, and not opened"
    assert opened(encoder).sees_pixels
    assert reindex("seen", opened=HashedEmbedder(), pixels="none").version == plain
    assert not opened().sees_pixels
    assert not (corpus_folder("seen") / "vectors" / "pixels").exists()
    assert check("seen") == []


def test_a_removed_document_takes_its_vectors_along(pages: Path, encoder: ColourEncoder) -> None:
    run(pages, encoder)
    assert delete_documents("seen", ["second.html"]) == 1
    corpus = opened(encoder)
    assert found(corpus, "green") == pictures(corpus, "first.html")[::-1]
    assert len(encoder.seen) == 3
    assert check("seen") == []
    run(pages, encoder)
    assert len(encoder.seen) == 4, "its vector was forgotten, that of the file which is still shown was not"


def test_another_encoder_is_refused_with_what_to_run(
    pages: Path, encoder: ColourEncoder, recorded: ColourEncoder
) -> None:
    run(pages, encoder)
    other = ColourEncoder("others")
    with pytest.raises(PixelsMismatch, match="backtrail corpus reindex seen --pixels colours"):
        run(pages, other)
    with pytest.raises(PixelsMismatch):
        opened(other).search_pictures("red", 1)
    recorded.fingerprint = "changed since"
    assert run(pages).unchanged == 2, "nothing to embed, nothing to refuse"
    with pytest.raises(PixelsMismatch):
        opened().search_pictures("red", 1)
    reindex("seen", opened=HashedEmbedder(), pixels="colours", opened_pixels=other)
    assert len(other.seen) == 3
    assert len(found(opened(other), "red", 9)) == 4
    assert len(list((corpus_folder("seen") / "vectors" / "pixels").glob("*.float32"))) == 1


def test_check_misses_vectors_and_a_damaged_file_is_named(
    pages: Path, encoder: ColourEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(pages, encoder)
    index = generation_folder(corpus_folder("seen"), 1)
    for file in index.glob("pictures.*"):
        shutil.move(file, index / f"lost.{file.name}")
    assert check("seen") == ["the index has 0 pictures, not the 4 that are stored"]
    shutil.rmtree(corpus_folder("seen") / "vectors" / "pixels")
    blob = next((corpus_folder("seen") / "blobs").glob("*/*"))
    with monkeypatch.context() as patch:
        patch.setattr("backtrail.tools.corpus.open_picture.MAX_PIXELS", 40 * 30 - 1)
        with pytest.raises(PictureUnreadable, match="40 x 30 pixels"):
            open_picture(blob)  # one beyond the bounds is not decoded
    blob.write_bytes(blob.read_bytes()[:60])
    with pytest.raises(PictureUnreadable, match=blob.name):
        reindex("seen", opened=HashedEmbedder(), pixels="colours", opened_pixels=encoder)


# --- whichever method searches -----------------------------------------------------------------------
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
