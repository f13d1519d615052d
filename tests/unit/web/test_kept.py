"""The shelf, the cache, and contents read through both worlds: what is from the web is cited like any other."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.cli.show.titles import Titles
from backtrail.nodes.answer import answer
from backtrail.nodes.reading.citation_locations import place
from backtrail.nodes.reading.component_views import locator
from backtrail.state.component import Component, Document, Picture
from backtrail.state.settings import Settings
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.home import home
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.shelf import Shelf, is_web


def component(text: str) -> Component:
    return Component(id="", document="", position=0, modality="text", text=text)


def document(url: str, title: str = "Elbe") -> Document:
    return Document(id="", title=title, url=url)


def no_corpus(name: str) -> Any:
    raise AssertionError(f"the corpus {name!r} was opened")


SHIP = Component(id="", document="", position=0, modality="image", image=Picture(blob="ab", caption="A ship"))


@pytest.mark.parametrize("put", [component("A river."), SHIP])
def test_what_is_put_on_the_shelf_is_found_by_its_id(tmp_path: Path, put: Component) -> None:
    kept, source = Shelf(tmp_path).put(put, document("https://example.org/elbe"))
    assert is_web(kept.id)
    assert kept == put.model_copy(update={"id": kept.id, "document": source.id})
    assert Shelf(tmp_path).components([kept.id]) == {kept.id: kept}
    assert Shelf(tmp_path).documents([source.id]) == {source.id: source}


def test_the_same_page_is_kept_once_and_a_changed_one_beside_it(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    first, source = shelf.put(component("A river."), document("https://example.org/elbe"))
    again, _ = shelf.put(component("A river."), document("https://example.org/elbe"))
    changed, same_source = shelf.put(component("A long river."), document("https://example.org/elbe"))
    elsewhere, other = shelf.put(component("A river."), document("https://example.org/other"))
    assert (again, same_source) == (first, source)
    assert len({first.id, changed.id, elsewhere.id}) == 3
    assert other.id != source.id
    assert shelf.components([first.id])[first.id].text == "A river."


@given(st.text(max_size=60))
def test_no_id_leaves_the_shelf(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("shelf"))
    for id_ in (text, f"web:{text}", f"web:../../{text}", f"web:{'a' * 32}/../{text}"):
        assert shelf.components([id_]) == {}
        assert shelf.documents([id_]) == {}


def test_pictures_of_the_web_need_no_corpus() -> None:
    sha = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    BlobStore(home()).put(sha, b"x")
    contents = Toolbox(open_corpus=no_corpus).contents(Settings())
    assert contents.picture(sha) == b"x"
    for other in (lambda: contents.components(["page.html#p1"]), lambda: contents.picture("0" * 64)):
        with pytest.raises(AssertionError, match="was opened"):
            other()


def test_one_picture_from_many_sites_is_stored_at_once(tmp_path: Path) -> None:
    content = b"x" * 200_000
    sha = hashlib.sha256(content).hexdigest()
    for number in range(20):
        store = BlobStore(tmp_path / str(number))
        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(lambda _, held=store: held.put(sha, content), range(8))) == {len(content)}
        assert list(store.held()) == [sha]


def elbe() -> tuple[Component, Document]:
    text = "The Elbe is 1094 km long. The Elbe flows through Dresden and Hamburg."
    return Shelf(home()).put(component(text), document("https://example.org/elbe"))


async def test_an_answer_cites_the_address_of_a_page() -> None:
    page, source = elbe()
    assert Titles(lambda: Toolbox(open_corpus=no_corpus).contents(Settings())).of(source.id) == "Elbe"
    assert locator(page.model_copy(update={"id": "elbe.html#p1"}), source) == {}, "what is from no web has no address"
    state: Any = {
        "messages": [], "question": "Through which cities does the Elbe flow?", "image": None, "subqueries": [],
        "evidence": {}, "ranking": [{"id": page.id, "score": 1.0}], "usage": {},
    }  # fmt: skip
    read: Any = answer(Toolbox(open_corpus=no_corpus))
    written = await read(
        state, SimpleNamespace(context=Settings.model_validate({"offline": {"min_confidence": "low"}}))
    )
    assert "Dresden" in written["answer"]["text"]
    citation = written["answer"]["citations"][0]
    assert (citation["component"], citation["title"]) == (page.id, "Elbe")
    assert place(citation["modality"], citation["locator"]).endswith("https://example.org/elbe")


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


async def test_an_answer_lives_as_long_as_it_is_told(tmp_path: Path) -> None:
    clock = Clock()
    cache = WebCache(tmp_path, 2, clock)
    await cache.put("searches", {"q": "elbe"}, ["a"])
    assert await cache.get("searches", {"q": "elbe"}) == ["a"]
    assert await cache.get("searches", {"q": "rhine"}) is None
    assert await cache.get("pages", {"q": "elbe"}) is None
    clock.now += 3600
    assert await WebCache(tmp_path, 0.5, clock).get("searches", {"q": "elbe"}) is None
    assert await cache.get("searches", {"q": "elbe"}) == ["a"]
    clock.now += 3600
    assert await cache.get("searches", {"q": "elbe"}) is None
    without = WebCache(tmp_path / "none", 0)
    await without.put("pages", {"url": "u"}, {"text": "t"})
    assert await without.get("pages", {"url": "u"}) is None
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("damage", ["{", "[]", '{"at": "x", "answer": 1}', '{"answer": 1}'])
async def test_a_damaged_entry_is_asked_again(tmp_path: Path, damage: str) -> None:
    cache = WebCache(tmp_path, 1)
    await cache.put("pages", {"url": "u"}, 1)
    next(tmp_path.rglob("*.json")).write_text(damage)
    assert await cache.get("pages", {"url": "u"}) is None
