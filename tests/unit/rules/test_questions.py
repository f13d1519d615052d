"""What a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.questions import analyse


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who created the series in which Robert appeared?", "person"),
        ("Where was the runner-up born?", "place"),
        ("When was the mosque built?", "date"),
        ("What year was the club founded?", "year"),
        ("In which year did the woman obtain victory?", "year"),
        ("How many people live in the city?", "number"),
        ("What is the population of the city that hosted the games?", "number"),
        ("Is the tower taller than the bridge?", "yes_no"),
        ("Which is older, Oxford or Cambridge?", "choice"),
        ("What company created the video game?", "organisation"),
        ("What colour is the roof shown in the map of Paris?", "colour"),
        ("The driver who finished first was of what nationality?", "nationality"),
        ("Why did the bridge collapse?", "reason"),
        ("How did the founders prevent it?", "manner"),
        ("What highway is next to the town?", "entity"),
        ("When the owner was Rex Ellsworth, the trainer was from what state?", "place"),
        ("¿Quién escribió la novela?", "unknown"),
    ],
)
def test_kind_of_answer(question: str, kind: str) -> None:
    assert analyse(question).kind == kind


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many pages were published after 1993?", {"after"}),
        ("Which is older, A or B?", {"older"}),
        ("When was the last signal received from the craft that took the first message out?", {"last"}),
        ("Which craft passed the planet closest to the Sun?", {"closest"}),
        ("When was Voyager 1 launched?", set[str]()),
    ],
)
def test_words_that_compare_order_or_add_up(question: str, words: set[str]) -> None:
    assert analyse(question).comparing == words


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Which is older, Oxford or Cambridge?", ("Oxford", "Cambridge")),
        ("Which came first, the launch, or the landing?", ("the launch", "the landing")),
        ("Which of them, iPhone or Android, is older?", ("iPhone", "Android")),
        ("How do I turn the heating on or off from the hall?", ()),
        ("When you are away, where do keys or badges go?", ()),
        ("Which club is older, or is it not?", ()),
    ],
)
def test_two_sides_of_a_choice(question: str, options: tuple[str, ...]) -> None:
    assert analyse(question).options == options


@given(st.text())
def test_any_text_can_be_analysed(question: str) -> None:
    assert analyse(question) == analyse(question)
