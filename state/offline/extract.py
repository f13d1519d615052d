"""Extract: confidence, signals and quotes that reading by rules adds to an answer.

Source: ours. Rules extract a span and cannot judge whether it answers. Questions with known answers show from which
confidence on most spans are right; from there on the span is given as the answer.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import BaseModel, Field

from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText, StructuredReading
from backtrail.state.choice_decisions import ChoiceReading
from backtrail.state.decision import Part

Level = Literal["low", "medium", "high"]
LEVELS: tuple[Level, ...] = get_args(Level)


def reaches(level: Level, least: Level) -> bool:
    """Return whether a level is at least another."""
    return LEVELS.index(level) >= LEVELS.index(least)


class ExtractInputs(AnswerInputs):
    """Inputs of reading by rules. ``beside``: other components of the evidence's pages, only quoted."""

    beside: list[EvidenceText] = Field(default_factory=list[EvidenceText])


class Quote(CitedPiece):
    """A piece that may hold the answer, with its shown text: some sentences, or rows under their header."""

    text: str


class Extract(Part):
    """Confidence of a reading by rules, and quotes.

    ``signals``: features of the reading, and 1 for each reason to doubt it (see
    ``backtrail.rules.reader.withholding_rules``); empty without a reading.
    """

    signals: dict[str, float] = Field(default_factory=dict[str, float])
    level: Level = "low"
    quotes: list[Quote] = Field(
        default_factory=list[Quote], description="Pieces that most likely hold the answer, the likeliest first."
    )


class ExtractReading(StructuredReading):
    """An answer, or an abstention, read by rules."""

    extract: Extract


class ExtractChoice(ChoiceReading):
    """The same for questions with options."""

    extract: Extract


_BY_RULES: dict[type[BaseModel], type[BaseModel]] = {StructuredReading: ExtractReading, ChoiceReading: ExtractChoice}


def type_as_written(output: type[BaseModel], written: dict[str, Any]) -> type[BaseModel]:
    """Return the type of a stored output: readings by rules have an extract."""
    return _BY_RULES.get(output, output) if "extract" in written else output
