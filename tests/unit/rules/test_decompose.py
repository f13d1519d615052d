"""Questions are taken apart where they nest, and nothing they say is lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.terms import content_terms
from backtrail.rules.decompose import decompose
from backtrail.state.decompose_decisions import DecomposeInputs, Plan, earlier_only

QUESTIONS = Path(os.environ.get("BACKTRAIL_DATA", "../shared/data")) / "ottqa" / "questions.jsonl"


def plan_of(question: str) -> Plan:
    return decompose(DecomposeInputs(question=question))


def texts(question: str) -> list[str]:
    return [subquery.text for subquery in plan_of(question).subqueries]


def assert_sound(question: str) -> None:
    plan = plan_of(question)
    assert 1 <= len(plan.subqueries) <= 6
    assert earlier_only(DecomposeInputs(question=question), plan) == []
    said = frozenset().union(*(content_terms(subquery.text) for subquery in plan.subqueries))
    assert content_terms(question) <= said


NESTED = [
    (
        "Who created the series in which the character of Robert , played by actor Nonso Anozie , appeared ?",
        [
            "the series in which the character of Robert, played by actor Nonso Anozie, appeared",
            "Who created the series?",
        ],
    ),
    (
        "What year was the club that competed in Danish first division in 2018/19 , "
        "with a stadium capacity of 9,566 founded ?",
        [
            "the club that competed in Danish first division in 2018/19, with a stadium capacity of 9,566",
            "What year was the club founded?",
        ],
    ),
    (
        "The driver who finished in position 1 in the qualifying was of what nationality ?",
        ["The driver who finished in position 1 in the qualifying", "The driver was of what nationality?"],
    ),
    (
        "For the series where Zuzanna Szadkowski portrayed Priya, where do the main characters live?",
        [
            "the series where Zuzanna Szadkowski portrayed Priya",
            "where do the main characters live for the series?",
        ],
    ),
    (
        "What colour is the roof of the building shown in the map of Paris?",
        ["the building shown in the map of Paris", "What colour is the roof of the building?"],
    ),
    (
        "What animal is on the flag of the country whose stamp shows a red balloon?",
        ["the country whose stamp shows a red balloon", "What animal is on the flag of the country?"],
    ),
]


@pytest.mark.parametrize(("question", "expected"), NESTED)
def test_the_inner_phrase_comes_first_and_the_outer_asks_about_it(question: str, expected: list[str]) -> None:
    plan = plan_of(question)
    assert [subquery.text for subquery in plan.subqueries] == expected
    assert [subquery.depends_on for subquery in plan.subqueries] == [[], [0]]


@pytest.mark.parametrize(
    "question",
    [
        "Who directed Vertigo?",
        "How many moons does Mars have?",
        "Who was the Dutch cyclist who placed 3rd overall in the 2019 Tour de France?",
        "What is the name of the lake that borders Chad?",
        "Wer schrieb den Faust?",
        "谁写了红楼梦？",
    ],
)
def test_a_question_of_one_intent_stays_whole(question: str) -> None:
    assert texts(question) == [question]


def test_a_comparison_looks_at_both_sides_first() -> None:
    plan = plan_of("Which is older, Oxford or Cambridge?")
    assert [subquery.text for subquery in plan.subqueries] == [
        "What is the date of birth or founding of Oxford?",
        "What is the date of birth or founding of Cambridge?",
        "Which is older, Oxford or Cambridge?",
    ]
    assert plan.subqueries[2].depends_on == [0, 1]


def test_coordinated_questions_are_asked_one_by_one() -> None:
    assert texts("Who founded Apple and when was it founded?") == ["Who founded Apple?", "When was Apple founded?"]


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("Who is Tim Cook and where did he study?", "Where did Tim Cook study?"),
        ("In which year was Acme sold and who runs it?", "Who runs Acme?"),
    ],
)
def test_a_pronoun_is_replaced_by_what_it_stands_for(question: str, second: str) -> None:
    assert texts(question)[1] == second


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("Who founded Apple and where was he born?", "Where was he born?"),
        ("Which river crosses Paris and how long is it?", "How long is it?"),
        ("What is the capital of France and who is its mayor?", "Who is its mayor?"),
        ("When was the mayor of Paris elected and where was he born?", "Where was he born?"),
        ("How many moons does Mars have and what are they called?", "What are they called?"),
        ("What happened on Monday and who saw it?", "Who saw it?"),
    ],
)
def test_a_pronoun_that_may_stand_for_the_answer_is_left_and_waits_for_it(question: str, second: str) -> None:
    plan = plan_of(question)
    assert plan.subqueries[1].text == second
    assert plan.subqueries[1].depends_on == [0]


def test_a_chain_of_nouns_is_followed_from_its_end() -> None:
    plan = plan_of("What is the capital of the home country of the runner-up of the 2010 final?")
    assert [subquery.text for subquery in plan.subqueries] == [
        "the runner-up of the 2010 final",
        "the home country of the runner-up",
        "What is the capital of the home country?",
    ]
    assert [subquery.depends_on for subquery in plan.subqueries] == [[], [0], [1]]


def test_two_levels_of_nesting() -> None:
    plan = plan_of("How many people live in the city that hosted the race which Ann Lee won?")
    assert plan.subqueries[-1].text == "How many people live in the city?"
    assert plan.subqueries[0].text == "the race which Ann Lee won"
    assert [subquery.depends_on for subquery in plan.subqueries] == [[], [0], [1]]


@given(st.text(max_size=300))
def test_any_text_gives_a_sound_plan(question: str) -> None:
    assert_sound(question)


HEAP = ("who", "which", "the", "of", "in", "film", "that", "with", "by", ",", "directed", "whose", "and", "Ann", "?")


@given(st.lists(st.sampled_from(HEAP)))
def test_any_heap_of_question_words_gives_a_sound_plan(words: list[str]) -> None:
    assert_sound(" ".join(words))


@pytest.mark.corpora
@pytest.mark.skipif(not QUESTIONS.exists(), reason=f"no question set at {QUESTIONS}; set BACKTRAIL_DATA")
def test_real_questions_give_sound_plans() -> None:
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        assert_sound(json.loads(line)["question"])


@pytest.mark.parametrize(
    "question",
    [
        "Which language did Tilde use to get from gigabytes down to 50 MiB, and who built that language?",
        "Who built the bridge in May 1909 and when was it closed?",
        "Who founded Apple with Steve Wozniak and when was it founded?",
        "Who plays the groom in the Swedish film about a lift and what year is it from?",
    ],
)
def test_a_pronoun_is_left_where_it_could_stand_for_several_things_or_for_none(question: str) -> None:
    _, second = decompose(DecomposeInputs(question=question)).subqueries
    assert {"that", "it"} & set(second.text.split())
    assert second.depends_on == [0]
