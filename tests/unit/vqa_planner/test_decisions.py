"""What the planner and the query writer may reply, and what is sent back to them."""

from __future__ import annotations

import pytest

from backtrail.state.vqa_planner.decisions import (
    CHOOSE_PATH,
    CLASSES,
    GOLD_QUERY,
    OPTIONS,
    ChoosePathInputs,
    GoldQuery,
    GoldQueryInputs,
    PathChoice,
)
from backtrail.tools.deciders.json_schema import strict_schema
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.reading import read_output

ASKED = ChoosePathInputs(question="Who designed this bridge?", has_picture=True)


def test_letters_and_classes_are_those_of_the_paper() -> None:
    assert {one: CLASSES[one] for one in OPTIONS} == {"A": "c1", "B": "c3", "C": "c2", "D": "c4"}


def test_a_letter_in_json_is_a_choice() -> None:
    assert read_output(CHOOSE_PATH, ASKED, 'Sure: {"option": "C", "why": "facts"}').output == PathChoice(
        option="C", why="facts"
    )


def test_chat_models_are_not_asked_for_probabilities() -> None:
    assert set(strict_schema(PathChoice)["properties"]) == {"option", "why"}


def test_the_letter_can_be_read_by_its_probability() -> None:
    field = letter_field(PathChoice)
    assert (field.name, field.letters, field.probabilities) == ("option", OPTIONS, True)


@pytest.mark.parametrize(
    "shares", [{"A": 0.5, "B": 0.2}, {"A": 1.5, "B": -0.5}, {"E": 1.0}, {"A": float("nan")}]
)  # fmt: skip
def test_probabilities_must_be_a_distribution_over_the_letters(shares: dict[str, float]) -> None:
    assert CHOOSE_PATH.check(ASKED, PathChoice(option="A", probabilities=shares))


@pytest.mark.parametrize(
    ("query", "has_picture", "taken"),
    [
        ("When was this bridge opened?", True, False),
        ("Who is the man in the picture?", True, False),
        ("Who are these people?", True, False),
        ("这座桥是谁设计的？", True, False),
        ("谁设计了它", True, False),
        (" ", True, False),
        ("When was the Orvane Bridge opened?", True, True),
        ("Who won the Palve Cup this year?", True, True),
        ("谁设计了奥尔文桥", True, True),
        ("Who designed this bridge?", False, True),  # without a picture nothing can be resolved
    ],
)
def test_a_gold_query_that_points_at_the_picture_is_sent_back(query: str, has_picture: bool, taken: bool) -> None:
    inputs = GoldQueryInputs(question="?", has_picture=has_picture)
    assert (GOLD_QUERY.check(inputs, GoldQuery(gold_query=query)) == []) is taken
