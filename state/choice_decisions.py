"""Models for reading multiple-choice questions."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from backtrail.state.answer_decisions import EvidenceText, Reading
from backtrail.state.decision import Part


class OptionView(Part):
    """An answer option."""

    label: str
    text: str


class ReadInputs(Part):
    """A question with its options, earlier notes, and the evidence of one source."""

    question: str
    knowledge: Literal["evidence", "both"] = "evidence"
    known: list[str] = Field(default_factory=list[str], description="'part: answer' lines found on the way.")
    evidence: list[EvidenceText]
    options: list[OptionView] = Field(default_factory=list[OptionView])


class ChoiceReading(Reading):
    """An answer from the evidence, with the label of the chosen option."""

    option: str | None = None
