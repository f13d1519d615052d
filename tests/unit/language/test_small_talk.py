"""Messages: which are small talk and which only begin like it, and the questions of one that has several."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.small_talk import LONGEST as LONGEST_TALK
from backtrail.language.small_talk import small_talk
from backtrail.language.split_questions import LONGEST, questions_in


@pytest.mark.parametrize(
    ("message", "kind", "language"),
    [
        ("  hello there :-) ", "greeting", "en"),
        ("Thanks 🙏", "thanks", "en"),
        ("What can you answer?", "about", "en"),
        ("Спасибо!", "thanks", "ru"),
        ("ありがとうございます。", "thanks", "ja"),
    ],
)
def test_small_talk_is_known_in_its_language(message: str, kind: str, language: str) -> None:
    assert small_talk(message) == (kind, language)


@pytest.mark.parametrize(
    "message",
    [
        "Hi, when was Voyager 2 launched?", "Thanks. And its mass?", "What can you answer about Titan?",
        "Who sang Hello?", "", "?", "x" * (LONGEST_TALK + 1), "okay corral", "What do you know about Saturn?",
    ],
)  # fmt: skip
def test_questions_are_no_small_talk(message: str) -> None:
    assert small_talk(message) is None


@given(st.text())
def test_any_text_is_read(message: str) -> None:
    small_talk(message)


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
