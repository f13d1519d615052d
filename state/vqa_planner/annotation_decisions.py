"""Decisions of the automatic annotation that a VQA planner is trained on (VQA planning agent, section 3.2, A.1).

Taken by the role ``expert``, which knows the gold answers; they run before training and in no graph.
"""

from __future__ import annotations

from pydantic import Field

from backtrail.state.decision import Decision, Part
from backtrail.state.vqa_planner.decisions import QUERY_CHARACTERS, GoldQuery, GoldQueryInputs, stands_alone


class AnnotateGoldQueryInputs(Part):
    """(q, a): the question about an attached picture with its gold answers, any one of which is right."""

    question: str
    answers: list[str] = Field(min_length=1)
    entity: str = Field(default="", description="What the picture shows, where the set of questions says so.")


def stands_without_picture(inputs: AnnotateGoldQueryInputs, gold: GoldQuery) -> list[str]:
    """The same check as at run time: it says something, and no word of it points at the picture."""
    return stands_alone(GoldQueryInputs(question=inputs.question, has_picture=True), gold)


ANNOTATE_GOLD_QUERY = Decision(
    "annotate_gold_query", AnnotateGoldQueryInputs, GoldQuery, "expert", stands_without_picture
)


class AnnotateImageQueryInputs(Part):
    """The question and q_g: what the second says and the first does not can only come from the picture."""

    question: str
    gold_query: str
    entity: str = Field(default="", description="What the picture shows, where the set of questions says so.")


class ImageQuery(Part):
    """A question about what the picture shows ("Who is this actor?"), and its answer (q_i, a_i)."""

    image_query: str = Field(max_length=QUERY_CHARACTERS)
    image_entity: str = Field(max_length=QUERY_CHARACTERS)


def asks_without_answering(inputs: AnnotateImageQueryInputs, asked: ImageQuery) -> list[str]:
    """Both are there, and the image query does not hold its own answer: else anybody could answer it."""
    query, entity = asked.image_query.strip(), asked.image_entity.strip()
    problems = [f"{name} is empty." for name, text in (("image_query", query), ("image_entity", entity)) if not text]
    if entity and f" {entity.casefold()} " in f" {query.casefold().rstrip('?？.')} ":
        problems.append("image_query names its own answer, the image_entity; ask for it with a pointing word instead.")
    return problems


ANNOTATE_IMAGE_QUERY = Decision(
    "annotate_image_query", AnnotateImageQueryInputs, ImageQuery, "expert", asks_without_answering
)
