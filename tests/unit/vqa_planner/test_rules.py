"""The planner: which path the words of a question lead to, the query it writes, which queries stand alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.picture_questions import IDENTIFIED, LOOKED_UP, SEEN
from hypothesis import example, given
from hypothesis import strategies as st

from backtrail.rules.vqa_planner.appearance import asked_of_picture
from backtrail.rules.vqa_planner.choose_path import choose_path, path_probabilities
from backtrail.rules.vqa_planner.features import buckets, stem_of
from backtrail.rules.vqa_planner.gold_query import write_gold_query
from backtrail.rules.vqa_planner.router import NEEDS, load_router
from backtrail.state.vqa_planner.context_free_words import pointers
from backtrail.state.vqa_planner.decisions import (
    CHOOSE_PATH,
    CLASSES,
    GOLD_QUERY,
    OPTIONS,
    ChoosePathInputs,
    FoundPicture,
    GoldQuery,
    GoldQueryInputs,
    PathChoice,
)
from backtrail.tools.deciders.json_schema import strict_schema
from backtrail.tools.deciders.offline import OfflineDecider


def test_weights_of_other_features_are_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "other.npz"
    np.savez_compressed(file, weights=np.zeros((8, 3), np.float16), bias=np.zeros(3, np.float16))
    with pytest.raises(ValueError, match="route_classifier"):
        load_router(file)


@example("What colour is the roof in the picture?", False)
@given(st.text(max_size=300), st.booleans())
def test_every_question_gets_a_path_with_probabilities_that_sum_to_one(question: str, has_picture: bool) -> None:
    inputs = ChoosePathInputs(question=question, has_picture=has_picture)
    choice = choose_path(inputs)
    assert CHOOSE_PATH.check(inputs, choice) == []
    assert sum(choice.probabilities.values()) == pytest.approx(1)
    assert choice.probabilities[choice.option] == max(choice.probabilities.values())
    assert has_picture or (choice.option in ("A", "C") and "picture" not in choice.why)


@given(
    st.lists(st.floats(0.001, 1), min_size=3, max_size=3), st.booleans(), st.booleans(),
    st.sampled_from([None, "looks", "identity", "facts"]),
)  # fmt: skip
def test_paths_share_what_needs_share(shares: list[float], has_picture: bool, pointing: bool, asked: Any) -> None:
    needs: Any = {need: share / sum(shares) for need, share in zip(NEEDS, shares, strict=True)}
    paths = path_probabilities(needs, has_picture=has_picture, pointing=pointing, asked=asked)
    assert set(paths) == set(OPTIONS)
    assert min(paths.values()) >= -1e-12
    assert sum(paths.values()) == pytest.approx(1)
    if pointing and has_picture and asked in (None, "facts"):
        assert paths["A"] == paths["C"] == 0
    if has_picture and asked == "looks":
        assert max(paths, key=lambda one: paths[one]) == "A"


def test_the_way_a_question_is_tokenised_does_not_matter() -> None:
    assert buckets("Which is France 's largest pygmy - owl ?") == buckets("Which is France's largest pygmy-owl?")


def test_options_do_not_decide() -> None:
    assert stem_of("Which gas is it?\nChoices:\nA) oxygen\nB) argon") == "Which gas is it?"
    assert buckets("Which gas is it? (A) oxygen (B) argon") == buckets("Which gas is it?")


@pytest.mark.parametrize(
    ("question", "has_picture", "option"),
    [
        ("Who was the first president of Finland?", False, "C"),
        ("这座桥是谁设计的？", True, "D"),
        ("What colors are the petals of the Minnetonka Rhododendron flower?", True, "B"),
        ("", True, "A"),
        ("When was this bridge opened?", True, "D"),
    ],
)
def test_paths_of_plain_questions(question: str, has_picture: bool, option: str) -> None:
    assert choose_path(ChoosePathInputs(question=question, has_picture=has_picture)).option == option


@pytest.mark.parametrize("question", SEEN)
def test_what_the_picture_shows_is_not_searched_in_texts(question: str) -> None:
    choice = choose_path(ChoosePathInputs(question=question, has_picture=True))
    assert choice.option in ("A", "B")
    assert choice.probabilities["C"] == choice.probabilities["D"] == 0


@pytest.mark.parametrize("question", IDENTIFIED)
def test_what_is_to_be_identified_is_searched_by_the_picture(question: str) -> None:
    choice = choose_path(ChoosePathInputs(question=question, has_picture=True))
    assert choice.option == "B"
    assert "what the picture shows is asked" in choice.why


@pytest.mark.parametrize("question", LOOKED_UP)
def test_facts_are_not_taken_for_looks(question: str) -> None:
    assert asked_of_picture(question) in (None, "facts")


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("这只猫是什么颜色？", "looks"),
        ("这是什么？", "identity"),
        ("这座桥是谁设计的？", None),
    ],
)
def test_marks_of_chinese(question: str, asked: str | None) -> None:
    assert asked_of_picture(question) == asked


OPENED = "When was this bridge opened?"


def pictures(*titles: str) -> list[FoundPicture]:
    return [FoundPicture(id=str(place), title=title, text=title) for place, title in enumerate(titles)]


@pytest.mark.parametrize(
    ("question", "found", "query"),
    [
        (OPENED, ["Orvane Bridge - Wikipedia", "Orvane Bridge"], "When was Orvane Bridge opened?"),
        ("这座桥是谁设计的？", ["杭州湾大桥"], "杭州湾大桥是谁设计的？"),
        ("Wer baute sie?", ["Orvane Bridge"], "Wer baute Orvane Bridge?"),
        ("When was this bridge opened?", [], "When was bridge opened"),
        ("When was the Orvane Bridge opened?", ["Tessel Tower"], "When was the Orvane Bridge opened?"),
        (f"{OPENED}\nChoices:\nA) 1931\nB) 1940", ["Orvane Bridge"], "When was Orvane Bridge opened?"),
    ],
)
def test_the_found_name_stands_where_the_question_points(question: str, found: list[str], query: str) -> None:
    inputs = GoldQueryInputs(question=question, has_picture=True, pictures=pictures(*found))
    assert write_gold_query(inputs).gold_query == query


async def test_a_question_that_only_points_fails_as_a_decision_and_not_as_a_crash() -> None:
    inputs = GoldQueryInputs(question="x" * 900, has_picture=True)
    decided = await OfflineDecider().decide(GOLD_QUERY, inputs)
    assert len(decided.output.gold_query) <= 400


ASKED = ChoosePathInputs(question="Who designed this bridge?", has_picture=True)


def test_letters_and_classes_are_those_of_the_paper() -> None:
    assert {one: CLASSES[one] for one in OPTIONS} == {"A": "c1", "B": "c3", "C": "c2", "D": "c4"}


def test_chat_models_are_not_asked_for_probabilities() -> None:
    assert set(strict_schema(PathChoice)["properties"]) == {"option", "why"}


@pytest.mark.parametrize(
    "shares", [{"A": 0.5, "B": 0.2}, {"A": 1.5, "B": -0.5}, {"E": 1.0}, {"A": float("nan")}]
)  # fmt: skip
def test_probabilities_must_be_a_distribution_over_the_letters(shares: dict[str, float]) -> None:
    assert CHOOSE_PATH.check(ASKED, PathChoice(option="A", probabilities=shares))


@pytest.mark.parametrize(
    ("query", "has_picture", "taken"),
    [
        ("When was this bridge opened?", True, False),
        ("谁设计了它", True, False),
        (" ", True, False),
        ("When was the Orvane Bridge opened?", True, True),
        ("Who designed this bridge?", False, True),  # without a picture nothing can be resolved
    ],
)
def test_a_gold_query_that_points_at_the_picture_is_sent_back(query: str, has_picture: bool, taken: bool) -> None:
    inputs = GoldQueryInputs(question="?", has_picture=has_picture)
    assert (GOLD_QUERY.check(inputs, GoldQuery(gold_query=query)) == []) is taken


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
