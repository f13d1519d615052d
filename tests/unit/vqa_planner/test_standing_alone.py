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
        ("那座桥有多长？", ["那座"]),
        ("它是什么时候建成的？", ["它"]),
        ("谁建造了它？", ["它"]),
        ("他们住在哪里？", ["他们"]),
        ("什么时候她获得了诺贝尔奖？", ["她"]),
        ("其高度是多少？", ["其"]),
        ("这是什么桥？", ["这"]),
        ("この橋はいつ開通しましたか。", ["この"]),
        ("彼女はどこで生まれましたか。", ["彼女"]),
        ("誰がそれを作りましたか。", ["それ"]),
        ("Wann wurde diese Brücke eröffnet?", ["diese"]),
        ("Wie hoch ist er?", ["er"]),
        ("Wer baute sie?", ["sie"]),
        ("Was ist das?", ["das"]),
        ("Quand ce pont a-t-il été construit ?", ["ce"]),
        ("Qui a dessiné cette tour ?", ["cette"]),
        ("Où est-elle née ?", ["elle"]),
        ("¿Quién diseñó este puente?", ["este"]),
        ("¿Cuándo murió su esposa?", ["su"]),
        ("Когда построен этот мост?", ["этот"]),
        ("Кто построил его?", ["его"]),
        ("Что это?", ["это"]),
        ("متى افتتح هذا الجسر؟", ["هذا"]),
        ("من هو؟", ["هو"]),
        ("In this century, who designed these?", ["these"]),
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
        "奥尔文桥和它的建筑师有什么关系？",
        "鲁迅是在哪里遇到他的妻子的？",
        "1912年沉没的那艘船叫什么名字？",
        "土耳其的首都是哪里？",
        "吉他是谁发明的？",
        "犹他州有多少人口？",
        "他汀类药物有什么副作用？",
        "除了北京，还有其他哪些城市举办过奥运会？",
        "《他是谁》的导演是谁？",
        "这年的冠军是谁？",
        "奥尔文川とその河口はどこですか。",
        "これまでに何人が月に行きましたか。",
        "それぞれの州の首都はどこですか。",
        "Wie viele Brücken gibt es in Hamburg?",
        "Wann gibt es Polarlichter?",
        "Ist es wahr, dass die Elbe in der Nordsee mündet?",
        "Wo entspringt die Elbe und wo ist ihre Mündung?",
        "Wer gewann dieses Jahr den Pokal?",
        "Das ist das Haus von Marta Colm.",
        "Quand le pont d'Orvane a-t-il été construit ?",
        "Y a-t-il des ours en France ?",
        "Est-il vrai que le phare de Kervran est rouge ?",
        "Qui est celui qui a dessiné le pont d'Orvane ?",
        "¿Qué ciudad está en el este de Polonia?",
        "¿Quién ganó la copa este año?",
        "¿Cuándo murió Marta Colm y quién fue su esposo?",
        "Когда родилась Марта Колм и где она жила?",
        "Правда ли это, что Эльба впадает в море?",
        "ما هو أطول نهر في العالم؟",
        "من فاز بالكأس هذا العام؟",
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
