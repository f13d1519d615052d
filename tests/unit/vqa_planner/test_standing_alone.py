"""A query stands alone when no word of it points at what it does not name."""

from __future__ import annotations

import pytest

from backtrail.state.vqa_planner.standing_alone import pointers


@pytest.mark.parametrize(
    ("query", "pointing"),
    [
        ("When was this bridge opened?", ["this"]),
        ("Who designed these?", ["these"]),
        ("How old is that tower?", ["that"]),
        ("When did it open?", ["it"]),
        ("Who built it and when?", ["it"]),
        ("What is his name?", ["his"]),
        ("Who is the woman in the picture?", ["the picture"]),
        ("Where do they live?", ["they"]),
        ("这座桥是什么时候建成的？", ["这座"]),
        ("图中的人是谁？", ["图中"]),
    ],
)
def test_what_points_is_told(query: str, pointing: list[str]) -> None:
    assert pointers(query) == pointing


@pytest.mark.parametrize(
    "query",
    [
        "Which ship that sank in 1912 was built in Belfast?",
        "Who won the cup this year?",
        "Who plays Kate in This Is Us?",
        'Who wrote "This Side of Paradise"?',
        "Where does the Elbe have its source?",
        "Did the Eiffel Tower change its colour before they painted it?",
        "Is it true that the Orvane Bridge is of iron?",
        "How long does it take to walk over the Orvane Bridge?",
        "Who was Marta Colm and when was she born?",
        "What do cats eat when they are ill?",
        "What did those who built the Orvane Bridge earn?",
        "Who painted the picture of Dorian Gray?",
        "Is the beak of the plover larger than that of the oystercatcher?",
        "Whose life was the film based on that had an actor born in 1989?",
        "奥尔文桥是什么时候建成的？",
    ],
)
def test_what_stands_alone_is_let_pass(query: str) -> None:
    assert pointers(query) == []
