from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.pointing import pointing_phrases, points, with_name, without_pointing


@pytest.mark.parametrize(
    ("question", "phrase", "named"),
    [
        ("When was this bridge finished?", "this bridge", "When was Orvane finished?"),
        ("Who designed the bridge in the picture?", "the bridge in the picture", "Who designed Orvane?"),
        ("What is the name of the craft shown here?", "the craft shown here", "What is the name of Orvane?"),
        ("What is that tower's height?", "that tower", "What is Orvane's height?"),
        ("When was the craft in this drawing launched?", "the craft in this drawing", "When was Orvane launched?"),
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
        "Which spacecraft that visited Triton was launched first?",
        "Who designed the Orvane Bridge?",
        "What is the year of the picture-house fire?",
        "",
        "?",
    ],
)
def test_a_question_that_stands_alone_points_at_nothing(question: str) -> None:
    assert not points(question)
    assert with_name(question, "Orvane") == question


def test_what_points_goes_and_its_noun_stays() -> None:
    assert without_pointing("When was this bridge finished?") == "When was bridge finished"
    assert without_pointing("Who designed the bridge in the picture?") == "Who designed the bridge"


@given(st.text(max_size=80), st.text(alphabet="ABC \\1g<0>", max_size=10))
def test_any_text_can_be_looked_at(question: str, name: str) -> None:
    named = with_name(question, name)
    assert points(question) or named == question
    assert isinstance(without_pointing(question), str)
