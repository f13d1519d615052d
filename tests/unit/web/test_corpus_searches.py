"""A corpus that stands for the web, and nobody who does."""

import hashlib
import io
from pathlib import Path

import pytest
from fixtures.colour_encoder import ColourEncoder, draw
from fixtures.hashed_embedder import HashedEmbedder
from PIL import Image

from backtrail.ingest.pipeline import ingest
from backtrail.state.settings import Settings
from backtrail.state.web_settings import WebSettings
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.home import home
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.errors import SearchRejected
from backtrail.tools.web.protocol import Searched

PAGES = {
    "elbe": "<p>The Elbe flows through Dresden to the North Sea.</p><table><caption>Ferries of the Elbe</caption>"
    "<tr><th>Place</th><th>Since</th></tr><tr><td>Rathen</td><td>1908</td></tr></table>"
    "<figure><img src='red.png'><figcaption>A red ferry at Rathen</figcaption></figure>",
    "rhine": "<p>The Rhine flows through Basel and Cologne.</p>"
    "<figure><img src='blue.png'><figcaption>A blue barge near Cologne</figcaption></figure>",
    "nile": "<p>The Nile flows through Cairo.</p><figure><img src='lime.png'><figcaption>Papyrus</figcaption></figure>",
}


def toolbox(tmp_path: Path, *, seeing: bool) -> Toolbox:
    folder = tmp_path / "pages"
    for colour in ("red", "blue", "lime"):
        draw(folder / f"{colour}.png", colour)
    for name, body in PAGES.items():
        (folder / f"{name}.html").write_text(f"<title>{name.title()}</title><h1>{name.title()}</h1>{body}")
    encoder = ColourEncoder() if seeing else None
    files = sorted(folder.glob("*.html"))
    pixels = "colours" if seeing else None
    ingest(files, "rivers", embedder="hashed", opened=HashedEmbedder(), pixels=pixels, opened_pixels=encoder)
    return Toolbox(open_corpus=lambda name: open_corpus(name, embedder=HashedEmbedder(), pixels=encoder))


def settings(**web: object) -> Settings:
    return Settings(corpus="rivers", web=WebSettings.model_validate(web))


def asked_with(colour: str) -> str:
    held = io.BytesIO()
    Image.new("RGB", (64, 64), colour).save(held, "PNG")
    sha = hashlib.sha256(held.getvalue()).hexdigest()
    BlobStore(home()).put(sha, held.getvalue())
    return sha


async def test_texts_are_paragraphs_and_tables_of_the_corpus(tmp_path: Path) -> None:
    tools = toolbox(tmp_path, seeing=False)
    searched = await tools.searches(settings(pages=2)).text("ferries of the Elbe at Rathen")
    assert {one.component.modality for one in searched.found} <= {"text", "table"}
    assert searched.found[0].document.title == "Elbe"
    assert searched.found[0].component.table is not None
    assert searched.found[0].snippet.startswith("Ferries of the Elbe")
    assert [one.position for one in searched.found] == [1, 2]
    assert searched.requests == 0
    assert set(searched.charge["seconds"]) == {"web"}
    ids = [one.component.id for one in searched.found]
    assert list(tools.contents(settings()).components(ids)) == ids
    assert (await tools.searches(settings()).text("   ")).found == ()


async def test_pictures_are_found_by_the_words_about_them(tmp_path: Path) -> None:
    searches = toolbox(tmp_path, seeing=False).searches(settings())
    searched = await searches.images_for_text("barge near Cologne")
    assert searched.found[0].component.image is not None
    assert searched.found[0].component.image.caption == "A blue barge near Cologne"
    assert all(one.component.modality == "image" for one in searched.found)
    with pytest.raises(SearchRejected, match="--pixels"):
        await searches.images_for_picture(asked_with("blue"))


async def test_pictures_are_found_by_their_pixels_and_the_questions_own_is_not(tmp_path: Path) -> None:
    tools = toolbox(tmp_path, seeing=True)

    def captions(searched: Searched) -> list[str]:
        return [one.component.image.caption for one in searched.found if one.component.image]

    one, three = tools.searches(settings(min_images=1)), tools.searches(settings(min_images=3))
    assert "Papyrus" in captions(await one.images_for_text("something green"))
    assert captions(await one.images_for_picture(asked_with("blue"))) == ["A blue barge near Cologne"]
    assert len((await three.images_for_picture(asked_with("blue"))).found) == 3
    content = (tmp_path / "pages" / "blue.png").read_bytes()
    own = hashlib.sha256(content).hexdigest()
    BlobStore(home()).put(own, content)
    found = (await tools.searches(settings()).images_for_picture(own)).found
    assert found
    assert own not in [one.component.image.blob for one in found if one.component.image]


async def test_a_picture_that_is_not_held_or_cannot_be_read_is_said(tmp_path: Path) -> None:
    broken = hashlib.sha256(b"no picture").hexdigest()
    BlobStore(home()).put(broken, b"no picture")
    searches = toolbox(tmp_path, seeing=True).searches(settings())
    for blob, said in (("0" * 64, "--image"), ("../../etc/passwd", "--image"), (broken, "cannot be decoded")):
        with pytest.raises(SearchRejected, match=said):
            await searches.images_for_picture(blob)


async def test_nobody_refuses_every_search_and_no_corpus_the_first() -> None:
    with pytest.raises(CorpusNotFound):
        await Toolbox().searches(settings()).text("the Elbe")
    searches = Toolbox().searches(settings(provider="none"))
    assert searches.provider == "none"
    for search in (searches.text, searches.images_for_text, searches.images_for_picture):
        with pytest.raises(SearchRejected, match="switched off"):
            await search("the Elbe")
