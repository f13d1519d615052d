"""Reading the probabilities of letters from the tokens of a reply."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.vqa_planner.decisions import PathChoice
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.requests.letter_scores import TokenAlternatives, letter_scores, parse_logprobs

FIELD = letter_field(PathChoice)
assert FIELD is not None


def place(token: str, **others: float) -> TokenAlternatives:
    return TokenAlternatives(token, tuple((other, math.log(share)) for other, share in others.items()))


def said(*tokens: str, letter: dict[str, float], at: int) -> list[TokenAlternatives]:
    shares = tuple((token, math.log(share)) for token, share in letter.items())
    return [
        TokenAlternatives(token, shares if number == at else ((token, 0.0),)) for number, token in enumerate(tokens)
    ]


@pytest.mark.parametrize(
    ("tokens", "at", "letter"),
    [
        (("C",), 0, {"C": 0.6, " A": 0.2, "Because": 0.2}),
        (('{"', "option", '":', ' "', "C", '"}'), 4, {"C": 0.6, "A": 0.2}),
        (('{"option":', ' "C', '", "why": "A is no choice"}'), 1, {' "C': 0.6, ' "A': 0.2}),
        (('{"why": "', "A", '", "option": "', 'C"', "}"), 3, {'C"': 0.6, 'A"': 0.2}),
    ],
)
def test_where_the_letter_stands_its_rivals_are_read(tokens: tuple[str, ...], at: int, letter: Any) -> None:
    scores = letter_scores(said(*tokens, letter=letter, at=at), FIELD)
    assert scores.probabilities == pytest.approx({"A": 0.25, "B": 0, "C": 0.75, "D": 0})
    assert scores.total_probability == pytest.approx(0.8)


@pytest.mark.parametrize(
    "places",
    [[], [place("I see a bridge", X=1.0)], [place("C", Because=0.9)], [place("C", C=float(1)), place("at", x=1)]],
)
def test_without_a_letter_nothing_is_told(places: list[TokenAlternatives]) -> None:
    assert letter_scores(places, FIELD) is None


@pytest.mark.parametrize(
    "told", [None, {}, {"content": None}, {"content": "C"}, {"content": [{"token": "C"}]}, {"content": [7]}, [1]]
)
def test_what_is_no_list_of_tokens_is_left_out(told: Any) -> None:
    assert parse_logprobs(told) == ()


@given(st.lists(st.tuples(st.text(max_size=3), st.floats(-20, 1)), max_size=8))
def test_probabilities_sum_to_one_or_there_are_none(likely: list[tuple[str, float]]) -> None:
    scores = letter_scores([TokenAlternatives("C", tuple(likely))], FIELD)
    assert scores is None or (
        sum(scores.probabilities.values()) == pytest.approx(1) and 0 < scores.total_probability <= 1
    )
