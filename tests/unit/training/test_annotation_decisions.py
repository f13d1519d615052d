"""The annotator's decisions: what their checks refuse, their prompts, and the rules in their place."""

from __future__ import annotations

import pytest

from backtrail.rules.vqa_planner.annotate_queries import annotate_gold_query, annotate_image_query
from backtrail.state.vqa_planner.annotation_decisions import (
    ANNOTATE_GOLD_QUERY,
    ANNOTATE_IMAGE_QUERY,
    AnnotateGoldQueryInputs,
    AnnotateImageQueryInputs,
    ImageQuery,
)
from backtrail.state.vqa_planner.decisions import GoldQuery

ACTOR = AnnotateGoldQueryInputs(question="What are the works of this actor?", answers=["A Play"])


@pytest.mark.parametrize(
    ("query", "problem"),
    [("What are the works of Ina Moor?", None), ("What are the works of this actor?", "says nothing"), (" ", "empty")],
)
def test_a_gold_query_stands_without_its_picture(query: str, problem: str | None) -> None:
    said = ANNOTATE_GOLD_QUERY.check(ACTOR, GoldQuery(gold_query=query))
    assert (not said) if problem is None else problem in said[0]


@pytest.mark.parametrize(
    ("query", "entity", "problem"),
    [
        ("Who is this actor?", "Ina Moor", None),
        ("Is this actor Ina Moor?", "ina moor", "names its own answer"),
        ("Who is this actor?", " ", "image_entity is empty"),
        ("", "Ina Moor", "image_query is empty"),
        ("What is this category?", "cat", None),
    ],
)
def test_an_image_query_does_not_hold_its_answer(query: str, entity: str, problem: str | None) -> None:
    inputs = AnnotateImageQueryInputs(question=ACTOR.question, gold_query="What are the works of Ina Moor?")
    said = ANNOTATE_IMAGE_QUERY.check(inputs, ImageQuery(image_query=query, image_entity=entity))
    assert (not said) if problem is None else problem in said[0]


@pytest.mark.parametrize(
    ("question", "entity", "gold", "image_query"),
    [
        (ACTOR.question, "Ina Moor", "What are the works of Ina Moor?", "Who or what is this actor?"),
        ("Where is the town hall of Varn?", "", "Where is the town hall of Varn?", "What does the picture show?"),
        ("这座桥是哪一年建成的？", "长江大桥", "长江大桥是哪一年建成的？", "这座桥是什么？"),
    ],
)
def test_rules_name_the_entity_where_a_question_points(question: str, entity: str, gold: str, image_query: str) -> None:
    completed = annotate_gold_query(AnnotateGoldQueryInputs(question=question, answers=["x"], entity=entity))
    assert completed.gold_query == gold
    asked = annotate_image_query(AnnotateImageQueryInputs(question=question, gold_query=gold, entity=entity))
    assert (asked.image_query, asked.image_entity) == (image_query, entity)
