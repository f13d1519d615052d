"""Gathering: the rest of a document, documents by a pattern, every place with a phrase; each is counted once."""

import re
from typing import Any

import pytest
from fixtures.tiny_corpora import prepared
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backtrail.nodes.gather_components import GATHERED_CHARACTERS, gather
from backtrail.nodes.phrase_places import phrase_places
from backtrail.nodes.reading.component_views import piece_texts
from backtrail.state.component import Picture, Table
from backtrail.state.computation import numbers_of
from backtrail.state.document_predicates import PREDICATES
from backtrail.state.gathering import Gathering, counts
from backtrail.tools.corpus.document_patterns import matches
from backtrail.tools.corpus.errors import DocumentNotFound
from backtrail.tools.corpus.filtered_corpus import FilteredCorpus
from backtrail.tools.corpus.select_documents import select_documents

PRICES = Table(caption="Rate limit", header=("Plan", "Limit"), rows=(("Free", "a rate limit of 5"), ("Pro", "none")))
DOCUMENTS = [
    prepared("guide/one", [("The RATE\nlimit is low. A second one follows.", []), (PRICES, [])], title="One"),
    prepared("guide/two", [("Rate limits. The prorate limit too.", []), (Picture(blob="0" * 64), [])], title="Two"),
    prepared("guide/empty", [], title="Three"),
    prepared("news", [("See the rate limit. It holds.", []), ("The ÜBER-Limit of C++.", [])], title="Guide to news"),
]  # fmt: skip


def asked(corpus: Any, kind: Any, target: str, after: int | None = None, earlier: Any = ()) -> Gathering:
    return gather(corpus, {"kind": kind, "target": target, "after": after}, "rate limit", earlier, words=True)


def pieces(gathering: Gathering) -> list[tuple[str, list[int]]]:
    return [(one["component"], numbers_of(one)) for one in gathering["pieces"]]


@pytest.mark.parametrize(
    ("kind", "target", "after", "found", "said"),
    [
        ("phrase", "rate limit", None, [("guide/one#0", [0]), ("guide/one#1", [0]), ("news#0", [0])],
         "4 of 4 places with “rate limit” in 2 documents"),
        ("phrase", "über-limit", None, [("news#1", [0])], "1 of 1 places with “über-limit” in 1 document"),
        ("phrase", "C++", None, [("news#1", [0])], "1 of 1 places with “C++” in 1 document"),
        ("documents", "guide/*", None, [("guide/one#0", []), ("guide/two#0", [])],
         "2 of 3 documents “guide/*”, 1 unreadable"),
        ("documents", "Guide to", None, [("news#0", [])], "1 of 1 documents “Guide to”"),
        ("documents", "news#1", None, [("news#0", [])], "1 of 1 documents “news#1”"),
        ("rest", "guide/one#0", None, [("guide/one#1", [0, 1])],
         "2 of 2 pieces after guide/one#0 in 1 document"),
        ("rest", "news#0", 0, [("news#0", [1]), ("news#1", [0])],
         "2 of 2 pieces after news#0, 0 in 1 document"),
        ("before", "news#1", None, [("news#0", [0, 1])],
         "2 of 2 pieces before news#1 in 1 document"),
        ("before", "guide/one#1", 1, [("guide/one#1", [0]), ("guide/one#0", [0, 1, 2])],
         "4 of 4 pieces before guide/one#1, 1 in 1 document"),
    ],
)  # fmt: skip
def test_what_is_gathered_is_counted_and_named(store, kind, target, after, found, said) -> None:
    gathering = asked(store(DOCUMENTS), kind, target, after)
    assert (pieces(gathering), counts(gathering), gathering["error"]) == (found, said, "")


@pytest.mark.parametrize(
    ("kind", "target", "error"),
    [
        ("phrase", "no such phrase", "No heading, sentence, row or caption contains 'no such phrase'."),
        ("phrase", " ", "No heading, sentence, row or caption contains ''."),
        (
            "documents",
            "blog/*",
            f"No document has an id or title 'blog/*'. Predicates are {PREDICATES}.",
        ),
        ("documents", "guide/empty", "guide/empty: no text"),
        ("rest", "gone", "There is no component 'gone'; name one in sight."),
        ("rest", "news#1", "Nothing follows news#1 in its document."),
        ("before", "news#0", "Nothing precedes news#0 in its document."),
        ("rest", "guide/two#0", "guide/two#1: image without words"),
    ],
)
def test_an_empty_gathering_has_failed_and_says_why(store, kind, target, error) -> None:
    gathering = asked(store(DOCUMENTS), kind, target)
    assert (gathering["pieces"], gathering["error"]) == ([], error)


def test_headings_and_titles_are_places_once_each(store) -> None:
    sections = ("Rate limits > The rate limit", "Rate limits > The rate limit", "Rate limits > Other")
    texts = [("A rate limit.", []), ("None here.", []), ("Or here.", [])]
    corpus = store(
        [
            prepared("api", texts, title="Rate limit of the API", sections=sections),
            prepared("api/2", [("No.", []), ("No.", [])], title="Rate limit of the API: Quota > Rate limit"),
        ]
    )
    found = [(one.component, one.number, one.text) for one in phrase_places(corpus, "rate limit")]
    assert found == [
        ("api#0", None, "Rate limit of the API"), ("api#0", None, "The rate limit"), ("api#0", 0, "A rate limit."),
        ("api/2#0", None, "Rate limit"),
    ]  # fmt: skip
    assert counts(asked(corpus, "phrase", "rate limit")) == "4 of 4 places with “rate limit” in 2 documents"


def test_the_same_request_goes_on_until_all_is_read(store) -> None:
    long = [
        prepared(
            "long",
            [("Begin.", []), *((f"Part {n} {'x' * 3_000}.", []) for n in range(5))],
            sections=["", *["Part"] * 5],
        )
    ]
    corpus = store(long)
    steps: list[Gathering] = []
    while not steps or steps[-1]["left_out"]:
        steps.append(asked(corpus, "rest", "long#0" if len(steps) % 2 else "LONG#0".lower(), earlier=steps))
        texts = [piece_texts(corpus.components([key])[key])[0] for key, _ in pieces(steps[-1])]
        assert sum(map(len, texts)) <= GATHERED_CHARACTERS
    assert [one["read"] for one in steps] == [2, 2, 1]
    assert [key for one in steps for key, _ in pieces(one)] == [f"long#{n}" for n in range(1, 6)]
    assert [counts(one).split(" pieces")[0] for one in steps] == ["2 of 5", "4 of 5", "5 of 5"]
    assert steps[0]["notes"] == ["long, Part: left out"]
    assert "were read before" in asked(corpus, "rest", "long#0", earlier=steps)["error"]


def test_pictures_without_words_are_pieces_where_they_can_be_shown(store) -> None:
    slides = [(Picture(blob=f"{n:064}"), []) for n in range(12)]
    corpus = store([prepared("deck", [*slides, (Picture(), []), ("The end.", [])])])
    request: Any = {"kind": "rest", "target": "deck#0", "after": None}
    steps: list[Gathering] = []
    while not steps or steps[-1]["left_out"]:
        steps.append(gather(corpus, request, "", steps, words=True, pictures=4))
    assert [key for one in steps for key, _ in pieces(one)] == [*(f"deck#{n}" for n in range(1, 12)), "deck#13"]
    assert max(one["read"] for one in steps) == 4
    assert steps[-1]["notes"] == ["deck#12: image without words"]  # the corpus holds no file of it
    unseen = gather(corpus, request, "", [], words=True)
    assert (unseen["read"], unseen["unreadable"]) == (1, 12)


WORDS = st.lists(st.sampled_from(["rate", "limit", "Rate", "limits", "ß", "new\n", "."]), max_size=8).map(" ".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(WORDS, min_size=1, max_size=6), paragraphs=st.lists(WORDS, max_size=3))
def test_every_place_with_the_phrase_is_counted_exactly_once(store, rows, paragraphs) -> None:
    table = Table(header=("Text",), rows=tuple((row,) for row in rows))
    corpus = store([prepared("one", [(table, []), *((text or "-", []) for text in paragraphs)])])
    found = asked(corpus, "phrase", "rate LIMIT")
    phrase = re.compile(r"\brate\s+limit\b", re.IGNORECASE)
    places = [(key, number) for key, numbers in pieces(found) for number in numbers]
    assert len(places) == len(set(places)) == found["total"] == found["read"]
    assert [number for key, number in places if key == "one#0"] == [
        n for n, row in enumerate(rows) if phrase.search(row)
    ]
    said = [key for key, _ in pieces(found) if key != "one#0"]
    assert said == [f"one#{n}" for n, text in enumerate(paragraphs, 1) if phrase.search(text)]


@given(parts=st.lists(st.text("ab/", max_size=3), min_size=1, max_size=4), text=st.text("AB/", max_size=8))
def test_a_star_stands_for_any_text(parts, text) -> None:
    whole = re.compile(".*".join(map(re.escape, parts)), re.IGNORECASE)
    assert matches("*".join(parts), text) == bool(whole.fullmatch(text))


def test_documents_of_a_setting_may_be_patterns(store) -> None:
    corpus = store(DOCUMENTS)
    within = FilteredCorpus(corpus, select_documents(corpus, ["guide/*"]))
    assert within.document_ids() == ["guide/one", "guide/two", "guide/empty"]
    assert counts(asked(within, "phrase", "rate limit")).startswith("3 of 3 places")
    assert counts(asked(within, "documents", "*")) == "2 of 3 documents “*”, 1 unreadable"
    with pytest.raises(DocumentNotFound, match=r"no document 'blog/\*'"):
        select_documents(corpus, ["news", "blog/*"])
