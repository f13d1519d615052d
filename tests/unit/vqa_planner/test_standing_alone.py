"""A query stands alone when no word of it points at what it does not name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.vqa_planner.context_free_words import pointers


@pytest.mark.parametrize(
    ("query", "pointing"),
    [
        ("How old is that tower?", ["that"]),
        ("Who built it and when?", ["it"]),
        ("What is his name?", ["his"]),
        ("Who is the woman in the picture?", ["the picture"]),
        ("这座桥是什么时候建成的？", ["这座"]),
        ("图中的人是谁？", ["图中"]),
        ("この橋はいつ開通しましたか。", ["この"]),
        ("彼女はどこで生まれましたか。", ["彼女"]),
        ("Wie hoch ist er?", ["er"]),
        ("Quand ce pont a-t-il été construit ?", ["ce"]),
        ("¿Cuándo murió su esposa?", ["su"]),
        ("Кто построил его?", ["его"]),
        ("من هو؟", ["هو"]),
        ("In this century, who designed these?", ["these"]),
    ],
)
def test_what_points_is_told(query: str, pointing: list[str]) -> None:
    assert pointers(query) == pointing


@pytest.mark.parametrize(
    "query",
    [
        "Who won the cup this year?",
        'Who wrote "This Side of Paradise"?',
        "Where does the Elbe have its source?",
        "Is it true that the Orvane Bridge is of iron?",
        "What do cats eat when they are ill?",
        "Who painted the picture of Dorian Gray?",
        "鲁迅是在哪里遇到他的妻子的？",
        "1912年沉没的那艘船叫什么名字？",
        "土耳其的首都是哪里？",
        "《他是谁》的导演是谁？",
        "これまでに何人が月に行きましたか。",
        "Wann gibt es Polarlichter?",
        "Ist es wahr, dass die Elbe in der Nordsee mündet?",
        "Y a-t-il des ours en France ?",
        "¿Qué ciudad está en el este de Polonia?",
        "ما هو أطول نهر في العالم؟",
    ],
)
def test_what_stands_alone_is_let_pass(query: str) -> None:
    assert pointers(query) == []


@pytest.mark.parametrize("language", ["ar", "de", "es", "fr", "ja", "ru", "zh"])
def test_questions_about_named_things_stand_alone_in_every_language_of_the_rules(language: str) -> None:
    lines = (Path(__file__).parents[2] / "fixtures/languages" / language / "questions.jsonl").read_text("utf-8")
    assert [asked for line in lines.splitlines() if pointers(asked := json.loads(line)["question"])] == []


@given(
    st.text(
        alphabet="谁是什么时候的那座桥它他们在、和了这些誰がそのこれ彼女を Where is it sie das el su это", max_size=300
    )
)
def test_any_text_is_read_in_time_and_told_words_are_its_own(query: str) -> None:
    assert all(word in query for word in pointers(query))
