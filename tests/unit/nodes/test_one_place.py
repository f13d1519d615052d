"""Components that say the same take one place, and the one that stays names the others, as citations do."""

from collections.abc import Iterable
from typing import Any, Self

import pytest
from fixtures.read_answers import QUOTE
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from backtrail.cli.show.answer_lines import show_answer
from backtrail.nodes.graph_traversal.deduplicate import deduplicate_components
from backtrail.nodes.reading.duplicate_sources import MOST_PLACES, with_duplicate_sources
from backtrail.nodes.streaming.answer_message import answer_message
from backtrail.nodes.streaming.numbered_sources import Where
from backtrail.server.ui.pages import templates
from backtrail.server.ui.sources import sources_of
from backtrail.state.answer import Answer, Citation
from backtrail.state.chat.answer_payload import payload_of
from backtrail.state.component import Component, Document, Picture, Table
from backtrail.state.evidence import Evidence, keep_best
from backtrail.state.settings import Settings


def text(key: str, said: str) -> Component:
    return Component(id=key, document=key, position=0, modality="text", text=said)


def places(*components: Component) -> dict[str, list[str]]:
    return deduplicate_components({one.id: one for one in components}, [one.id for one in components])


def test_the_same_words_in_other_markup_are_the_same() -> None:
    noted, again = text("a", "**Note**: use version 3.5."), text("b", "note – use   version 3.5")
    assert places(noted, again, text("c", "Something else.")) == {"a": ["b"], "c": []}


def test_long_tables_that_differ_in_their_last_row() -> None:
    rows = [(str(number), "same") for number in range(300)]

    def table(key: str, last: str) -> Component:
        held = Table(caption="Ports", header=("port", "use"), rows=(*rows, ("300", last)))
        return Component(id=key, document=key, position=0, modality="table", table=held)

    assert places(table("a", "open"), table("b", "closed"), table("c", "open")) == {"a": ["c"], "b": []}


def test_pictures_are_the_same_by_file_and_words() -> None:
    def picture(key: str, blob: str | None, title: str) -> Component:
        return Component(id=key, document=key, position=0, modality="image", image=Picture(blob=blob, title=title))

    first, second = "1" * 64, "2" * 64
    shown = [picture("a", first, "Duck"), picture("b", second, "Duck"), picture("c", first, "duck")]
    assert places(*shown) == {"a": ["c"], "b": []}
    assert len(places(picture("d", None, ""), picture("e", None, ""))) == 2


@given(st.lists(st.sampled_from(["one", "One!", "two", "", "..."]), max_size=8))
def test_every_component_stands_somewhere_once(said: list[str]) -> None:
    components = [text(str(number), one) for number, one in enumerate(said)]
    kept = places(*components)
    assert sorted([*kept, *(other for others in kept.values() for other in others)]) == [one.id for one in components]


def test_what_evidence_stands_for_is_kept_whatever_its_score() -> None:
    held: Any = {"component": "a", "score": 0.9, "hop": 2}
    told: Any = {**held, "score": 0.5, "duplicates": ["b"]}
    merged = keep_best({"a": held}, {"a": told})
    assert merged == {"a": {**held, "duplicates": ["b"]}}
    assert keep_best(merged, {"a": told}) == merged


LONG = "The bridge over the Ondra was built by Palver in stone and opened to all carts in spring"


def test_nearly_the_same_text_stands_once() -> None:
    other = LONG.replace("by Palver", "by the Palver").replace("and opened", "and then opened")
    assert places(text("a", LONG), text("b", other), text("c", "Nothing of that.")) == {"a": ["b"], "c": []}
    assert places(text("a", f"First of all. {LONG}. And more of it."), text("b", LONG)) == {"a": ["b"]}
    longer = text("b", f"{LONG}. It fell into the river after a long and hard winter.")
    assert len(places(text("a", LONG), longer)) == 2, "it is not dropped for its beginning"
    denied = f"It is not true that {LONG[0].lower()}{LONG[1:]}."
    assert len(places(text("a", denied), text("b", LONG))) == 2


WORDS = [
    ("1904", "1905"), ("-5", "5"), ("$5", "€5"), ("< 3", "> 3"), ("5 %", "5"), ("2.5", "25"),
    ("Palver", "Ondra"), ("vitamin A", "vitamin"), ("--peer-file", "--client-file"), ("東京", "京都"),
    ("is", "is not"), ("with", "without"), ("enabled", "disabled"), ("able", "unable"), ("!=", "=="), ("all", "no"),
    ("before", "after"), ("must", "may"), ("only", ""), ("two", "three"),
]  # fmt: skip


@given(
    st.sampled_from(WORDS),
    st.lists(st.sampled_from(["the", "bridge", "was", "built", "of", "stone", "in", "spring"]), max_size=30),
    st.integers(0, 30),
    st.booleans(),
)
def test_a_number_a_name_or_a_not_keeps_texts_apart(pair: Any, around: list[str], at: int, swapped: bool) -> None:
    one, other = reversed(pair) if swapped else pair
    first, second = (" ".join([*around[:at], word, *around[at:]]) for word in (one, other))
    assert len(places(text("a", f"Here it {first}."), text("b", f"Here it {second}."))) == 2
    rows = [Table(caption="", header=("name", "value"), rows=((said, "x"),)) for said in (first, second)]
    tables = [Component(id=str(n), document="d", position=n, modality="table", table=row) for n, row in enumerate(rows)]
    assert len(places(*tables)) == 2


def test_who_did_it_and_to_whom_is_no_matter_of_words_alone() -> None:
    beaten = "In the last game of the long season the team of Palver has beaten that of Ondra by far"
    assert len(places(text("a", beaten), text("b", beaten.replace("Palver", "X").replace("Ondra", "Palver")))) == 2
    turned = beaten.replace("Palver", "_").replace("Ondra", "Palver").replace("_", "Ondra")
    assert len(places(text("a", beaten), text("b", turned))) == 2


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("Edit {} on our site", True),
        ("Was {} helpful? Tell us.", True),
        ("{} | Privacy policy | Terms of use", True),
        ("You are reading {}. Subscribe to our newsletter", True),
        ("Edit {}, last updated {year}", False),
        ("{} is a town on the river that was built of stone in spring and has a bridge.", False),
    ],
)
def test_boilerplate_with_the_title_of_its_page_is_the_same_on_each(said: str, same: bool) -> None:
    titles = {"a": "Palver – Our Towns", "b": "Upper Ondra"}
    pages = [text("a", said.format("Palver", year=2024)), text("b", said.format("Upper Ondra", year=2023))]
    found = deduplicate_components({one.id: one for one in pages}, ["a", "b"], titles=titles)
    assert found == ({"a": ["b"]} if same else {"a": [], "b": []})
    foreign = deduplicate_components({one.id: one for one in pages}, ["a", "b"], titles={"a": "Something", "b": "Else"})
    assert len(foreign) == 2


NOTICE = "The ferry runs from May to September. Dogs travel free."


class Pages:
    """A toolbox whose corpus holds pages by id, each with one paragraph."""

    def __init__(self, **said: str) -> None:
        self._said = said

    def contents(self, settings: Settings) -> Self:
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
