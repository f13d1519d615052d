"""A whole message that is small talk is known as such; a question that begins like it stays a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.small_talk import LONGEST, small_talk


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
        "Who sang Hello?", "", "?", "x" * (LONGEST + 1), "okay corral", "What do you know about Saturn?",
    ],
)  # fmt: skip
def test_questions_are_no_small_talk(message: str) -> None:
    assert small_talk(message) is None


@given(st.text())
def test_any_text_is_read(message: str) -> None:
    small_talk(message)
