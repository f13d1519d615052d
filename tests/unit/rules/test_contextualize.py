"""Follow-ups become standalone; complete questions are left alone."""

from __future__ import annotations

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
        ("And who designed it?", ("When was the Eiffel Tower built?", "1889"), "Who designed the Eiffel Tower?"),
        ("What about Mars?", MOONS, "How many moons does Mars have?"),
        ("And Saturn?", MOONS, "How many moons does Saturn have?"),
        ("No, I meant Mars.", MOONS, "How many moons does Mars have?"),
        ("No, when was it built?", TOWER, "When was the Eiffel Tower built?"),
        ("Who is its mayor?", GAMES, "Who is Vancouver's mayor?"),
        ("How many people live there?", GAMES, "How many people live in Vancouver?"),
        ("Who directed that film?", ("Which film won in 1999?", "Titanic"), "Who directed the film Titanic?"),
        ("Who wrote it?", ("What is Dune?", "a novel by Frank Herbert"), "Who wrote Dune?"),
        ("And its weight?", ("What is the price of the Heron 22?", "$1,300"), "What about the Heron 22's weight?"),
        ("What about Globex?", ("When did Ann Lee leave Acme?", "1999"), "What about Globex? (Ann Lee; Acme)"),
        ("And how many hours?", ("Who repaired it?", "the crew"), "How many hours? (Who repaired it?)"),
        ("And how many hours?", ("Who repaired Luna?", "the crew"), "How many hours? (Luna)"),
        ("When did they meet?", ("Who founded Acme?", "Ann Lee and Bo Ek"), "When did Ann Lee and Bo Ek meet?"),
        ("What is her father's name?", ("Who won the race?", "Marianne Vos"), "What is Marianne Vos' father's name?"),
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
        ("Who is its mayor?", ("What is the capital of France?", "Paris"), "France; Paris"),
        ("What is his name?", ("When did the mayor of Paris resign?", "1998"), "Paris"),
        ("What are they called?", MOONS, "Jupiter"),
        ("Who repaired it?", ("What happened on Monday?", "The pump failed."), "Monday"),
        ("When was it founded?", ("Did Acme buy Globex?", "Yes"), "Acme; Globex"),
        ("Who was managing director then?", ("What did Acme earn in 1987?", "$5"), "Acme; 1987"),
        ("How many hours does it take?", ("How is the package sent to Oslo?", "by ship"), "Oslo"),
    ],
)
def test_where_it_is_open_what_is_meant_the_names_are_added(
    question: str, earlier: tuple[str, ...], names: str
) -> None:
    assert standalone(question, *earlier) == f"{question} ({names})"
    assert standalone(f"And {question}", *earlier).casefold() == f"{question} ({names})".casefold()


def test_a_question_that_was_not_understood_is_passed_over() -> None:
    turns = [
        Turn(speaker="human", text="When did Acme open?"), Turn(speaker="ai", text="1987"),
        Turn(speaker="human", text="and then?"), Turn(speaker="ai", text="I found no supported answer: nothing."),
    ]  # fmt: skip
    asked = ContextualizeInputs(conversation=turns, question="Who was managing director then?")
    assert contextualize(asked).question == "Who was managing director then? (Acme)"


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
