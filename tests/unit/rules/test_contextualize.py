"""Follow-ups become standalone; complete questions are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.rules.contextualize import contextualize
from backtrail.state.answer_decisions import ContextualizeInputs, Turn

TOWER = ("Who designed the Eiffel Tower?", "Stephen Sauvestre")
GAMES = ("Which city hosted the 2010 games?", "Vancouver")
MOONS = ("How many moons does Jupiter have?", "95")


def standalone(question: str, *earlier: str) -> str:
    turns = [Turn(speaker="ai" if index % 2 else "human", text=text) for index, text in enumerate(earlier)]
    return contextualize(ContextualizeInputs(conversation=turns, question=question)).question


@pytest.mark.parametrize(
    ("question", "earlier", "expected"),
    [
        ("And when was it built?", TOWER, "When was the Eiffel Tower built?"),
        ("When was he born?", TOWER, "When was Stephen Sauvestre born?"),
        ("What about the Golden Gate Bridge?", TOWER, "Who designed the Golden Gate Bridge?"),
        ("No, I meant Mars.", MOONS, "How many moons does Mars have?"),
        ("Who is its mayor?", GAMES, "Who is Vancouver's mayor?"),
        ("Who wrote it?", ("What is Dune?", "a novel by Frank Herbert"), "Who wrote Dune?"),
        ("What about Globex?", ("When did Ann Lee leave Acme?", "1999"), "What about Globex? (Ann Lee; Acme)"),
        ("And how many hours?", ("Who repaired it?", "the crew"), "How many hours? (Who repaired it?)"),
        ("When did they meet?", ("Who founded Acme?", "Ann Lee and Bo Ek"), "When did Ann Lee and Bo Ek meet?"),
    ],
)
def test_follow_ups_take_words_from_the_last_exchange(question: str, earlier: tuple[str, ...], expected: str) -> None:
    assert standalone(question, *earlier) == expected


@pytest.mark.parametrize(
    "question",
    ["What is the capital of France?", "When did Apple release its first phone?", "Is it true?", "它是什么?"],
)
def test_complete_questions_come_back_unchanged(question: str) -> None:
    assert standalone(question, *TOWER) == standalone(question) == question


def test_an_abstention_is_nobody_and_nothing() -> None:
    reply = "I found no supported answer: the evidence does not cover “Sauvestre”."
    assert standalone("When was it built?", TOWER[0], reply) == "When was the Eiffel Tower built?"


@pytest.mark.parametrize(
    ("question", "earlier", "names"),
    [
        ("Where was he born?", ("Who founded Acme?", "I found no supported answer: nothing says it."), "Acme"),
        ("Who is its mayor?", ("What is the capital of France?", "I am not sure enough of an answer: …"), "France"),
        ("What is his name?", ("When did the mayor of Paris resign?", "1998"), "Paris"),
        ("Who was managing director then?", ("What did Acme earn in 1987?", "$5"), "Acme; 1987"),
    ],
)
def test_where_it_is_open_what_is_meant_the_names_are_added(
    question: str, earlier: tuple[str, ...], names: str
) -> None:
    assert standalone(question, *earlier) == f"{question} ({names})"
    assert standalone(f"And {question}", *earlier).casefold() == f"{question} ({names})".casefold()


def test_a_follow_up_to_a_follow_up_goes_by_what_was_understood() -> None:
    second = Turn(speaker="human", text="And its mass?", standalone="What is the mass of Titan?")
    turns = [
        Turn(speaker="human", text="How big is Titan?"),
        Turn(speaker="ai", text="5,150 km"),
        second,
        Turn(speaker="ai", text="1.3e23 kg"),
    ]
    asked = ContextualizeInputs(conversation=turns, question="Who discovered it?")
    assert contextualize(asked).question == "Who discovered Titan?"


@given(st.text(), st.lists(st.text(), max_size=4))
def test_any_text_gives_a_question(question: str, earlier: list[str]) -> None:
    first = standalone(question, *earlier)
    assert first
    assert first == standalone(question, *earlier)
