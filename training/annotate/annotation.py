"""Annotation of one question, a line of ``annotations.jsonl``."""

from __future__ import annotations

import hashlib
import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from backtrail.evals.questions import Question
from backtrail.training.annotate.classes import PathClass

ENTITY_TAG = "entity"
"""Tag of a question that names the subject of its picture."""


class Trial(BaseModel):
    """One form of the question, the learner's answer, and the judge's score of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    gold: tuple[str, ...]
    answer: str
    known: bool = Field(description="False when the learner does not know the answer, which is then not judged.")
    score: float = Field(ge=1, le=5)
    right: bool


class Annotation(BaseModel):
    """Result for a question: a class, a reason for its exclusion, or an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    fingerprint: str = Field(description="Hash of the annotated question; see ``fingerprint``.")
    question: str
    image: str | None = Field(default=None, description="Path of the picture, relative to the folder of the questions.")
    outcome: Literal["annotated", "excluded", "failed"]
    label: PathClass | None = None
    why: str = Field(default="", description="Reason for the exclusion, or the error.")
    image_entity: str = ""
    trials: dict[str, Trial] = Field(default_factory=dict, description="By form: question, image_query, gold_query.")


def entity_of(question: Question) -> str:
    """Return the subject of the picture by the question's tag; "" where it has none."""
    entity = question.tags.get(ENTITY_TAG)
    return entity.strip() if isinstance(entity, str) else ""


def fingerprint(question: Question) -> str:
    """Return a short hash of question, picture path, gold answers and entity; valid annotations match."""
    inputs = [question.question, question.image, list(question.answers), entity_of(question)]
    return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()[:16]
