"""Extract: what reading by rules adds to an answer: how sure it is, by which signals, and what else may hold it.

Source: ours. Rules take a span out of the evidence; they cannot tell whether it answers. Questions
with known answers told from which confidence on most are right, and the span is said from there on.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import BaseModel, Field

from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText, Reading
from backtrail.state.choice_decisions import ChoiceReading
from backtrail.state.decision import Part

Level = Literal["low", "medium", "high"]
LEVELS: tuple[Level, ...] = get_args(Level)


def reaches(level: Level, least: Level) -> bool:
    """Whether a level is at least another."""
    return LEVELS.index(level) >= LEVELS.index(least)


class ExtractInputs(AnswerInputs):
    """What rules read from. ``beside``: what else stands on the pages of the evidence; quoted, and never read."""

    beside: list[EvidenceText] = Field(default_factory=list[EvidenceText])


class Quote(CitedPiece):
    """A piece that may hold the answer, with what is shown for it: some sentences, or rows under their header."""

    text: str


class Extract(Part):
    """What rules say of their own reading.

    ``signals``: what the reading rests on, and 1 for each reason to doubt it (see
    ``backtrail.rules.reader.withholding_rules``); empty where nothing was read.
    """

    signals: dict[str, float] = Field(default_factory=dict[str, float])
    level: Level = "low"
    quotes: list[Quote] = Field(
        default_factory=list[Quote], description="Pieces that most likely hold the answer, the likeliest first."
    )


class ExtractReading(Reading):
    """An answer, or an abstention, read by rules."""

    extract: Extract


class ExtractChoice(ChoiceReading):
    """The same, where options may be offered."""

    extract: Extract


_BY_RULES: dict[type[BaseModel], type[BaseModel]] = {Reading: ExtractReading, ChoiceReading: ExtractChoice}


def type_as_written(output: type[BaseModel], written: dict[str, Any]) -> type[BaseModel]:
    """The type that a written-down output of a decision has: rules add an extract to a reading."""
    return _BY_RULES.get(output, output) if "extract" in written else output
