"""What annotation found out about one question, as kept in a line of ``annotations.jsonl``."""

from __future__ import annotations

import hashlib
import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from backtrail.evals.questions import Question
from backtrail.training.annotate.classes import PathClass

ENTITY_TAG = "entity"
"""The tag of a question in which its set may say what the picture shows."""


class Trial(BaseModel):
    """One form of the question, the learner's answer, and the judge's score of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    gold: tuple[str, ...]
    answer: str
    known: bool = Field(description="False when the learner said that it does not know; such an answer is not judged.")
    score: float = Field(ge=1, le=5)
    right: bool


class Annotation(BaseModel):
    """A finished question: a class, a reason why it is left out, or an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    asked: str = Field(description="Hash of what was annotated; see ``asked_of``.")
    question: str
    image: str | None = Field(default=None, description="Path of the picture from the folder of the questions.")
    outcome: Literal["annotated", "excluded", "failed"]
    label: PathClass | None = None
    why: str = Field(default="", description="Why it was left out, or what failed.")
    image_entity: str = ""
    trials: dict[str, Trial] = Field(default_factory=dict, description="Of question, image_query and gold_query.")


def entity_of(question: Question) -> str:
    """What the set of questions says its picture shows; "" where it does not."""
    entity = question.tags.get(ENTITY_TAG)
    return entity.strip() if isinstance(entity, str) else ""


def asked_of(question: Question) -> str:
    """Short hash of question, picture path, gold answers and entity: an annotation holds while this is the same."""
    given = [question.question, question.image, list(question.answers), entity_of(question)]
    return hashlib.sha256(json.dumps(given).encode()).hexdigest()[:16]
