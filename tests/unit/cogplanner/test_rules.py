"""The offline planning expert: what it asks, what points at a picture, what it searches, when it stops."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.picture_references import pointing_phrases, points, with_name, without_pointing
from backtrail.rules.search_planning.reformulate import reformulate
from backtrail.rules.search_planning.route import route
from backtrail.rules.self_rag.check import check
from backtrail.rules.self_rag.grade import grade
from backtrail.rules.self_rag.rewrite import rewrite
from backtrail.state.cogplanner.decisions import searchable
from backtrail.state.planned_search import Element, ReformulateInputs, RoundView, RouteInputs, SearchView
from backtrail.state.self_rag.decisions import CheckInputs, GradeInputs, Retrieved, RewriteInputs, offered

POINTING = "When was this bridge opened?"


def element(text: str, title: str = "", *, modality: str = "text", query: str = "") -> Element:
    return Element(id=text[:8], round=1, modality=modality, title=title, text=text, query=query)


def done(index: int, kind: Any, *queries: str, action: Any = "text search", outcome: Any = "found") -> RoundView:
    searches = [SearchView(kind=kind, query=query, outcome=outcome, reason="", found=1) for query in queries]
    return RoundView(index=index, queries=list(queries), action=action, searches=searches)


def asked(question: str, *, picture: bool = False, rounds: Any = (), elements: Any = (), most: int = 4) -> list[str]:
    inputs = ReformulateInputs(
        question=question, has_picture=picture, queries=rounds[-1].queries if rounds else [question],
        rounds=list(rounds), elements=list(elements), most_queries=most,
    )  # fmt: skip
    output = reformulate(inputs)
    assert searchable(inputs, output) == []
    return output.queries


def chosen(question: str, *, picture: bool = False, rounds: Any = (), elements: Any = (), queries: Any = None) -> str:
    return route(
        RouteInputs(
            question=question, has_picture=picture, queries=queries or [question], rounds=list(rounds),
            elements=list(elements), rounds_left=3 - len(rounds),
        )
    ).action  # fmt: skip


LOOKED = done(1, "image-by-picture", POINTING, action="image search")
CAPTIONS = [
    element("The Orvane Bridge at night.", "Orvane Bridge - Wikipedia", modality="image"),
    element("Traffic on the Orvane Bridge.", "Palverin by night", modality="image"),
]


@pytest.mark.parametrize(
    ("picture", "rounds", "elements", "queries", "action"),
    [
        (True, [], [], POINTING, "image search"),
        (True, [LOOKED], CAPTIONS, "When was Orvane Bridge opened?", "text search"),  # what most pictures are called
        (True, [LOOKED], [], "When was bridge opened", "text search"),  # the picture led nowhere
        (False, [], [], POINTING, "text search"),
    ],
)
def test_what_is_pointed_at_is_looked_up_and_named(
    picture: bool, rounds: Any, elements: Any, queries: str, action: str
) -> None:
    assert asked(POINTING, picture=picture, rounds=rounds, elements=elements) == [queries]
    assert chosen(POINTING, picture=picture, rounds=rounds, elements=elements) == action


def test_both_sides_of_a_comparison_are_asked_at_once() -> None:
    assert asked("Which is longer, the Orvane Bridge or the Sarnow Bridge?") == [
        "What is the length of the Orvane Bridge?",
        "What is the length of the Sarnow Bridge?",
    ]


NESTED = "Who designed the bridge that crosses the Ondra at Palverin?"
INNER = "the bridge that crosses the Ondra at Palverin"


def test_what_a_question_describes_is_looked_for_first_then_named() -> None:
    first = asked(NESTED)
    assert first == [INNER, NESTED]
    found = [element("It crosses the Ondra at Palverin, a bridge of 1931.", "Orvane Bridge", query=INNER)]
    second = asked(NESTED, rounds=[done(1, "text", *first)], elements=found)
    assert second[0] == "Who designed Orvane Bridge?"


DESIGNED = "Who designed the Orvane Bridge?"
TOLD = element("The Orvane Bridge was designed by Mira Tessel.", "Orvane Bridge")
LOOKS = "What does the flag of Palverin look like?"
SEARCHED, TOLD_OF_NONE = [done(1, "text", DESIGNED)], element("A bridge.")
OF_PICTURES = done(2, "image-by-text", LOOKS, action="image search")


@pytest.mark.parametrize(
    ("question", "given_", "action"),
    [
        (DESIGNED, {"rounds": SEARCHED, "elements": [TOLD]}, "no search"),  # all that is asked
        (DESIGNED, {"rounds": SEARCHED, "elements": [TOLD_OF_NONE], "queries": ["Orvane designer"]}, "text search"),
        (DESIGNED, {"rounds": [done(1, "text", DESIGNED, outcome="failed")]}, "no search"),  # nothing is tried again
        (LOOKS, {}, "text search"),
        (LOOKS, {"rounds": [done(1, "text", LOOKS)]}, "image search"),  # texts do not settle it
        (LOOKS, {"rounds": [done(1, "text", LOOKS), OF_PICTURES]}, "no search"),
        ("??", {}, "no search"),
    ],
)
def test_where_is_searched_and_when_no_more(question: str, given_: dict[str, Any], action: str) -> None:
    assert chosen(question, **given_) == action


@given(st.text(max_size=200), st.booleans(), st.integers(1, 8))
def test_any_question_gets_queries_that_can_be_searched(question: str, picture: bool, most: int) -> None:
    first = asked(question, picture=picture, most=most)
    asked(question, picture=picture, most=most, rounds=[done(1, "text", *first)], elements=CAPTIONS)
    assert chosen(question, picture=picture, rounds=[done(1, "text", *first)], elements=CAPTIONS)


def doc(id_: str, text: str) -> Retrieved:
    return Retrieved(id=id_, modality="text", title="", text=text)


def test_documents_that_say_nothing_of_the_question_are_graded_out() -> None:
    documents = [doc("a", "Cheese is made of milk."), doc("b", "Mira Tessel designed the Orvane Bridge.")]
    inputs = GradeInputs(question="Who designed the Orvane Bridge?", query="Orvane Bridge", documents=documents)
    output = grade(inputs)
    assert output.relevant == ["b"]
    assert offered(inputs, output) == []
    assert grade(inputs.model_copy(update={"documents": documents[:1]})).relevant == []


def test_a_draft_must_stand_in_a_document_and_say_something_new() -> None:
    question, documents = "Who designed the Orvane Bridge?", [doc("b", "Mira Tessel designed the Orvane Bridge.")]
    judged = {
        draft: check(CheckInputs(question=question, answer=draft, documents=documents))
        for draft in ("Mira Tessel", "Jon Sarn", "The Orvane Bridge")
    }
    assert {draft: (one.grounded, one.useful) for draft, one in judged.items()} == {
        "Mira Tessel": (True, True), "Jon Sarn": (False, True), "The Orvane Bridge": (True, False),
    }  # fmt: skip


def test_rewriting_goes_through_other_forms_and_then_repeats_itself() -> None:
    queries, query = [NESTED], NESTED
    for _ in range(8):
        query = rewrite(RewriteInputs(question=NESTED, has_picture=False, queries=queries, problem="")).query
        if query in queries:
            break
        queries.append(query)
    assert queries[1] == INNER
    assert 3 <= len(queries) <= 6
    assert query == queries[-1]


@pytest.mark.parametrize(
    ("question", "phrase", "named"),
    [
        ("When was this bridge finished?", "this bridge", "When was Orvane finished?"),
        ("Who designed the bridge in the picture?", "the bridge in the picture", "Who designed Orvane?"),
        ("What is this?", "this", "What is Orvane?"),
        ("这座桥是什么时候建成的？", "这座桥", "Orvane是什么时候建成的？"),
    ],
)
def test_the_phrase_that_points_gives_way_to_a_name(question: str, phrase: str, named: str) -> None:
    assert pointing_phrases(question) == [phrase]
    assert with_name(question, "Orvane") == named


@pytest.mark.parametrize(
    "question",
    [
        "Who designed the Orvane Bridge?",
        "What is the year of the picture-house fire?",
        "?",
    ],
)
def test_a_question_that_stands_alone_points_at_nothing(question: str) -> None:
    assert not points(question)
    assert with_name(question, "Orvane") == question


@given(st.text(max_size=80), st.text(alphabet="ABC \\1g<0>", max_size=10))
def test_any_text_can_be_looked_at(question: str, name: str) -> None:
    named = with_name(question, name)
    assert points(question) or named == question
    assert isinstance(without_pointing(question), str)
