"""Questions are taken apart where they nest, and nothing they say is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.terms import content_terms
from backtrail.rules.decompose import decompose
from backtrail.state.decompose_decisions import DecomposeInputs, Plan, earlier_only


def plan_of(question: str) -> Plan:
    return decompose(DecomposeInputs(question=question))


def assert_sound(question: str) -> None:
    plan = plan_of(question)
    assert 1 <= len(plan.subqueries) <= 6
    assert earlier_only(DecomposeInputs(question=question), plan) == []
    said = frozenset().union(*(content_terms(subquery.text) for subquery in plan.subqueries))
    assert content_terms(question) <= said


SERIES = "the series in which the character of Robert, played by actor Nonso Anozie, appeared"
STAMP = "What animal is on the flag of the country whose stamp shows a red balloon?"
OLDER = "What is the date of birth or founding of {}?"


@pytest.mark.parametrize(
    ("question", "expected", "needs"),
    [
        (f"Who created {SERIES.replace(',', ' ,')} ?", [SERIES, "Who created the series?"], [[], [0]]),
        (
            "What colour is the roof of the building shown in the map of Paris?",
            ["the building shown in the map of Paris", "What colour is the roof of the building?"],
            [[], [0]],
        ),
        (
            STAMP,
            ["the country whose stamp shows a red balloon", "What animal is on the flag of the country?"],
            [[], [0]],
        ),
        (
            "Which is older, Oxford or Cambridge?",
            [OLDER.format("Oxford"), OLDER.format("Cambridge"), "Which is older, Oxford or Cambridge?"],
            [[], [], [0, 1]],
        ),
    ],
)
def test_what_lies_within_comes_first(question: str, expected: list[str], needs: list[list[int]]) -> None:
    plan = plan_of(question)
    assert [subquery.text for subquery in plan.subqueries] == expected
    assert [subquery.depends_on for subquery in plan.subqueries] == needs


@pytest.mark.parametrize(
    "question",
    [
        "Who was the Dutch cyclist who placed 3rd overall in the 2019 Tour de France?",
        "Wer schrieb den Faust?",
        "谁写了红楼梦？",
    ],
)
def test_a_question_of_one_intent_stays_whole(question: str) -> None:
    assert [subquery.text for subquery in plan_of(question).subqueries] == [question]


@pytest.mark.parametrize(
    ("question", "second", "needs"),
    [
        ("Who founded Apple and when was it founded?", "When was Apple founded?", []),
        # a pronoun that may stand for the answer is left and waits for it
        ("Who founded Apple and where was he born?", "Where was he born?", [0]),
        ("Which river crosses Paris and how long is it?", "How long is it?", [0]),
        ("When was the mayor of Paris elected and where was he born?", "Where was he born?", [0]),
        # so is one that may stand for several things
        ("Who built the bridge in May 1909 and when was it closed?", "When was it closed?", [0]),
    ],
)
def test_the_second_of_two_questions_names_its_pronoun_or_waits(question: str, second: str, needs: list[int]) -> None:
    plan = plan_of(question)
    assert (plan.subqueries[1].text, plan.subqueries[1].depends_on) == (second, needs)


HEAP = ("who", "which", "the", "of", "in", "film", "that", "with", "by", ",", "directed", "whose", "and", "Ann", "?")


@given(st.text(max_size=300) | st.lists(st.sampled_from(HEAP)).map(" ".join))
def test_any_text_gives_a_sound_plan(question: str) -> None:
    assert_sound(question)
