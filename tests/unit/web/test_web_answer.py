"""Evidence from the web is read and cited like any other, with its address and without a corpus."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.cli.show.titles import Titles
from backtrail.nodes.answer import answer
from backtrail.nodes.reading.contents import locator
from backtrail.nodes.reading.places import place
from backtrail.state.component import Component, Document
from backtrail.state.settings import Settings
from backtrail.tools.home import home
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.shelf import Shelf

URL = "https://example.org/elbe"


class FakeRuntime:
    """What a node reads of LangGraph's runtime."""

    def __init__(self, context: Settings) -> None:
        self.context = context


def kept() -> tuple[Component, Document]:
    text = "The Elbe is 1094 km long. The Elbe flows through Dresden and Hamburg."
    page = Component(id="", document="", position=0, modality="text", text=text)
    return Shelf(home()).put(page, Document(id="", title="Elbe", url=URL))


def no_corpus(name: str) -> Any:
    pytest.fail(f"the corpus {name!r} was opened")


async def test_an_answer_cites_the_address_of_a_page() -> None:
    page, _ = kept()
    state: Any = {
        "messages": [], "question": "Through which cities does the Elbe flow?", "image": None, "subqueries": [],
        "evidence": {}, "ranking": [{"id": page.id, "score": 1.0}], "usage": {},
    }  # fmt: skip
    read: Any = answer(Toolbox(open_corpus=no_corpus))
    written = await read(state, FakeRuntime(Settings.model_validate({"offline": {"short_from": "low"}})))
    assert "Dresden" in written["answer"]["text"]
    citation = written["answer"]["citations"][0]
    assert citation["component"] == page.id
    assert citation["title"] == "Elbe"
    assert citation["locator"]["url"] == URL
    assert place(citation["modality"], citation["locator"]).endswith(URL)


def test_only_what_is_from_the_web_is_cited_by_its_address() -> None:
    page, source = kept()
    stored = page.model_copy(update={"id": "elbe.html#p1"})
    assert locator(page, source) == {"url": URL}
    assert locator(stored, source) == {}


def test_titles_of_pages_come_from_the_shelf() -> None:
    _, source = kept()
    titles = Titles(lambda: Toolbox(open_corpus=no_corpus).contents(Settings()))
    assert titles.of(source.id) == "Elbe"
