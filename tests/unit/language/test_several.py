"""Several questions in one message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.split_questions import LONGEST, questions_in

LAUNCHED, LED = "When was Voyager 2 launched?", "Who led the Cassini mission?"


@pytest.mark.parametrize(
    ("message", "questions"),
    [
        (f"{LAUNCHED} {LED}", [LAUNCHED, LED]),
        (f"Hi there. {LAUNCHED}\n\n{LED} Thanks!", [f"Hi there. {LAUNCHED}", f"{LED} Thanks!"]),
        ("旅行者2号是什么时候发射的？卡西尼号呢？", ["旅行者2号是什么时候发射的？", "卡西尼号呢？"]),
        (f"{LAUNCHED} And when?", [f"{LAUNCHED} And when?"]),
        (
            "Who wrote “Who's Afraid of Virginia Woolf?” and when was it first staged?",
            ["Who wrote “Who's Afraid of Virginia Woolf?” and when was it first staged?"],
        ),
        ("Which is it? (A) Is it red? (B) Is it blue?", ["Which is it? (A) Is it red? (B) Is it blue?"]),
    ],
)
def test_each_question_that_stands_by_itself(message: str, questions: list[str]) -> None:
    assert questions_in(message) == questions


@given(st.text(st.sampled_from("ab?. \nA？"), max_size=80))
def test_nothing_is_lost_and_long_material_stays_whole(message: str) -> None:
    assert "".join("".join(questions_in(message)).split()) == "".join(message.split())
    material = f"{LAUNCHED} {LED} " * LONGEST
    assert questions_in(material) == [material]
