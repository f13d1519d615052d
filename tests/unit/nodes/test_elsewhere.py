"""A citation names the other places where the same is said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fixtures.read_answers import QUOTE
from rich.console import Console

from backtrail.cli.show.answer_lines import show_answer
from backtrail.nodes.reading.duplicate_sources import MOST_PLACES, with_duplicate_sources
from backtrail.nodes.streaming.answer_message import answer_message
from backtrail.nodes.streaming.numbered_sources import Where
from backtrail.server.ui.pages import templates
from backtrail.server.ui.sources import sources_of
from backtrail.state.answer import Answer, Citation
from backtrail.state.chat.answer_payload import payload_of
from backtrail.state.component import Component, Document
from backtrail.state.evidence import Evidence
from backtrail.state.settings import Settings

NOTICE = "The ferry runs from May to September. Dogs travel free."


class Pages:
    """A toolbox whose corpus holds pages by id, each with one paragraph."""

    def __init__(self, **said: str) -> None:
        self._said = said

    def contents(self, settings: Settings) -> Pages:
        return self

    def documents(self, ids: Iterable[str]) -> dict[str, Document]:
        return {key: Document(id=key, title=key.title()) for key in ids}

    def components(self, ids: Iterable[str]) -> dict[str, Component]:
        owners = {key: key.removesuffix("#1") for key in ids}
        return {
            key: Component(id=key, document=page, position=0, modality="text", text=self._said[page], section="Trips")
            for key, page in owners.items()
            if page in self._said
        }


def told(toolbox: Any, quote: str, duplicates: list[str]) -> Answer:
    cited: Citation = {**QUOTE, "component": "ferry#1", "document": "ferry", "title": "Ferry", "quote": quote}
    held: Any = {"component": "ferry#1", "duplicates": duplicates}
    evidence: dict[str, Evidence] = {"ferry#1": held}
    reply: Answer = {"text": "It runs.", "short": "", "citations": [cited], "confidence": 0.9, "abstained": False}
    return with_duplicate_sources(toolbox, Settings(), reply, evidence)


def test_the_others_are_named_with_their_places_wherever_the_answer_is_shown() -> None:
    pages: Any = Pages(ferry=NOTICE, prices=NOTICE, dogs="Dogs travel free.")
    reply = told(pages, "The ferry runs from May to September.", ["prices#1", "dogs#1", "gone#1"])
    others = reply["citations"][0].get("duplicates", [])
    assert [one["component"] for one in others] == ["prices#1"]  # the part that lacks what is quoted is none
    shown = Console(width=120)
    with shown.capture() as printed:
        show_answer({"answer": reply}, shown)
    assert "also at Prices › Trips (text)" in printed.get()
    message = answer_message(pages, Settings(), reply, "When?", [], "stop", Where())
    assert "also at Prices › Trips (text)" in str(message.content)
    values = payload_of(message)
    assert values
    assert values["sources"][0].get("duplicates") == others


def test_few_of_many_are_named_and_the_rest_is_counted() -> None:
    names = [f"page{number}" for number in range(MOST_PLACES + 3)]
    pages = Pages(ferry=NOTICE, **dict.fromkeys(names, NOTICE))
    citation = told(pages, NOTICE, [f"{name}#1" for name in names])["citations"][0]
    assert len(citation.get("duplicates", [])) == MOST_PLACES
    assert citation.get("more_duplicates") == 3


def test_the_card_of_a_source_links_to_the_other_places() -> None:
    names = ["prices & more", *(f"page{number}" for number in range(MOST_PLACES))]
    pages: Any = Pages(ferry=NOTICE, **dict.fromkeys(names, NOTICE))
    reply = told(pages, NOTICE, [f"{name}#1" for name in names])
    [source] = sources_of({"answer": reply}, Settings(corpus="tiny"), pages)
    card = templates().from_string('{% from "_source.html" import source_card %}{{ source_card(source) }}')
    shown = " ".join(card.render(source=source).split())
    at = "id=prices%20%26%20more&amp;at=prices%20%26%20more%231#cited"
    assert f'also at <a href="/ui/corpora/tiny/document?{at}">' in shown
    assert "Prices &amp; More › Trips</a> (text), <a href=" in shown
    assert "(text) and 1 more</p>" in shown
