"""Decisions of the automatic annotation for training a VQA planner (VQA planning agent, 3.2, A.1).

Taken by the role ``expert``, which gets the gold answers; they run before training and in no graph.
"""

from __future__ import annotations

from pydantic import Field

from backtrail.state.decision import Decision, Part
from backtrail.state.vqa_planner.decisions import QUERY_CHARACTERS, GoldQuery, GoldQueryInputs, stands_alone


class AnnotateGoldQueryInputs(Part):
    """(q, a): the question about an attached picture with its gold answers, any of which is right."""

    question: str
    answers: list[str] = Field(min_length=1)
    entity: str = Field(default="", description="What the picture shows, where the set of questions says so.")


def stands_without_picture(inputs: AnnotateGoldQueryInputs, gold: GoldQuery) -> list[str]:
    """Check the gold query as at run time: it is not empty, and no word of it points at the picture."""
    return stands_alone(GoldQueryInputs(question=inputs.question, has_picture=True), gold)


ANNOTATE_GOLD_QUERY = Decision(
    "annotate_gold_query", AnnotateGoldQueryInputs, GoldQuery, "expert", stands_without_picture
)


class AnnotateImageQueryInputs(Part):
    """The question and q_g: what only q_g says must come from the picture."""

    question: str
    gold_query: str
    entity: str = Field(default="", description="What the picture shows, where the set of questions says so.")


class ImageQuery(Part):
    """A question about what the picture shows ("Who is this actor?"), and its answer (q_i, a_i)."""

    image_query: str = Field(max_length=QUERY_CHARACTERS)
    image_entity: str = Field(max_length=QUERY_CHARACTERS)


def asks_without_answering(inputs: AnnotateImageQueryInputs, image_query: ImageQuery) -> list[str]:
    """Check that both are set, and that the image query does not contain its answer."""
    query, entity = image_query.image_query.strip(), image_query.image_entity.strip()
    problems = [f"{name} is empty." for name, text in (("image_query", query), ("image_entity", entity)) if not text]
    if entity and f" {entity.casefold()} " in f" {query.casefold().rstrip('?？.')} ":
        problems.append("image_query names its own answer, the image_entity; ask for it with a pointing word instead.")
    return problems


ANNOTATE_IMAGE_QUERY = Decision(
    "annotate_image_query", AnnotateImageQueryInputs, ImageQuery, "expert", asks_without_answering
)
