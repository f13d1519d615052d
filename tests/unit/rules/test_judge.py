"""Judging without a model: what words alone can tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.rules.judge import check_claims, classify_error, extract_claims, judge_answer, shorten_answer
from backtrail.state.judge_decisions import (
    SHORTEN_ANSWER,
    CheckInputs,
    ClaimsInputs,
    JudgeInputs,
    Shortened,
    ShortenInputs,
    one_verdict_each,
)

TEXTS = st.text(alphabet="ab1 .,'the", max_size=16)


def judged(answer: str, *gold: str) -> JudgeInputs:
    return JudgeInputs(question="Who wrote it?", gold=list(gold), answer=answer)


@pytest.mark.parametrize(
    ("answer", "gold", "score"),
    [
        ("Ada Lovelace", "ada lovelace", 5),
        ("It was written by Ada Lovelace in 1843", "Ada Lovelace", 4),
        ("Ada Byron", "Ada Lovelace", 3),
        ("Charles Babbage", "Ada Lovelace", 1),
    ],
)
def test_the_grade_falls_with_the_overlap(answer: str, gold: str, score: int) -> None:
    assert judge_answer(judged(answer, gold)).score == score


@given(answer=TEXTS, gold=TEXTS, other=TEXTS)
def test_another_gold_answer_never_lowers_the_grade(answer: str, gold: str, other: str) -> None:
    alone = judge_answer(judged(answer, gold)).score
    assert 1 <= alone <= judge_answer(judged(answer, gold, other)).score <= 5


def test_each_sentence_is_a_claim_and_a_phrase_is_one_too() -> None:
    def claims(text: str) -> list[str]:
        return extract_claims(ClaimsInputs(question="Who?", text=text)).claims

    assert claims("Ada wrote it. It ran in 1843.") == ["Ada wrote it.", "It ran in 1843."]
    assert claims("Ada Lovelace") == ["Ada Lovelace"]
    assert claims("") == []
    assert claims("…") == []
    assert len(claims("Rivers run to the sea. " * 100)) == 40


def test_a_claim_holds_when_the_reference_says_what_is_new_in_it() -> None:
    inputs = CheckInputs(
        question="Who wrote the first program?",
        claims=[
            "Ada Lovelace wrote the first program.",
            "The first program was written in Berlin.",
            "Who wrote the first program?",
        ],
        reference="Ada Lovelace, for the Analytical Engine",
    )
    checked = check_claims(inputs)
    assert checked.supported == [True, False, False], "repeating the question claims nothing new"
    assert one_verdict_each(inputs, checked) == []


@pytest.mark.parametrize(
    ("answer", "gold", "kind"),
    [
        ("Babbage", "Ada Lovelace", "incorrect"),
        ("Lovelace Ada", "Ada Lovelace", "mostly correct"),
        ("Lovelace", "Ada Lovelace", "incomplete"),
        ("Ada Lovelace of London", "Ada Lovelace", "redundant"),
        ("Ada of London", "Ada Lovelace", "overlap"),
        ("USA", "United States of America", "abbreviation"),
    ],
)
def test_errors_are_told_apart_by_which_words_are_there(answer: str, gold: str, kind: str) -> None:
    assert classify_error(judged(answer, gold)).kind == kind


def test_a_sentence_is_shortened_to_what_was_asked_and_a_short_answer_stays() -> None:
    long = "The Tessel Tower was designed by Mira Tessel, who also drew its gardens in 1903."
    asked = ShortenInputs(question="Who designed the Tessel Tower?", answer=long)
    assert shorten_answer(asked).short == "Mira Tessel"
    assert SHORTEN_ANSWER.check(asked, shorten_answer(asked)) == []
    assert shorten_answer(ShortenInputs(question="Who?", answer="Mira Tessel")).short == "Mira Tessel"


def test_shortening_may_add_no_word() -> None:
    asked = ShortenInputs(question="Who designed the Tessel Tower?", answer="It was designed by Mira.")
    assert SHORTEN_ANSWER.check(asked, Shortened(short="Mira Tessel")) == [
        "These words are not in the answer: 'Tessel'. Take its own words."
    ]
