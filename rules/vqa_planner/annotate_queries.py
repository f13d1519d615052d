"""Annotate gold query, image query and entity without a model, if the entity is known.

The rules see no picture. If a question refers to a picture without a known entity, their output does not
pass the decision's check, and the question is recorded as failed.
"""

from __future__ import annotations

from backtrail.language.picture_references import pointing_phrases, with_name
from backtrail.state.vqa_planner.annotation_decisions import (
    AnnotateGoldQueryInputs,
    AnnotateImageQueryInputs,
    ImageQuery,
)
from backtrail.state.vqa_planner.decisions import QUERY_CHARACTERS, GoldQuery


def annotate_gold_query(inputs: AnnotateGoldQueryInputs) -> GoldQuery:
    """Replace the reference by the known entity; without either, return the question unchanged."""
    completed = with_name(inputs.question, inputs.entity) if inputs.entity else inputs.question
    return GoldQuery(gold_query=completed[:QUERY_CHARACTERS])


def annotate_image_query(inputs: AnnotateImageQueryInputs) -> ImageQuery:
    """Ask for the first reference; the answer is what replaces it in the gold query."""
    entity = (inputs.entity or _put_in(inputs.question, inputs.gold_query))[:QUERY_CHARACTERS]
    phrase = next(iter(pointing_phrases(inputs.question)), "")
    if not phrase:
        asked = "What does the picture show?" if inputs.question.isascii() else "图片里是什么？"
    else:
        asked = f"Who or what is {phrase[0].lower()}{phrase[1:]}?" if phrase.isascii() else f"{phrase}是什么？"
    return ImageQuery(image_query=asked[:QUERY_CHARACTERS], image_entity=entity)


def _put_in(question: str, gold_query: str) -> str:
    """Return the text of the gold query between the start and end that it shares with the question."""
    was, now = question.rstrip("?？ ").split(), gold_query.rstrip("?？ ").split()
    start = 0
    while start < min(len(was), len(now)) and was[start] == now[start]:
        start += 1
    end = 0
    while end < min(len(was), len(now)) - start and was[-1 - end] == now[-1 - end]:
        end += 1
    return " ".join(now[start : len(now) - end])
