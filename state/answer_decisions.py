"""Decisions of every method: make a follow-up question standalone, and answer from evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import AliasChoices, Field, SerializationInfo, SerializerFunctionWrapHandler, model_serializer

from backtrail.state.decision import IN_PROMPT, Decision, Offers, Part, quote_ids
from backtrail.state.structured_reading import CitedPiece, Structured, structure_problems

# A few paragraphs (ours).
ANSWER_CHARACTERS = 4000
# A span or a list of spans (ours).
SHORT_CHARACTERS = 600
# Older recordings have a single text, named "answer".
EARLIER = AliasChoices("text", "answer")


class Turn(Part):
    """An earlier message of the conversation, in its own words."""

    speaker: str
    text: str
    standalone: str = Field(default="", description="The question as it was understood, where its words differ.")


class ContextualizeInputs(Part):
    """A follow-up question with the conversation before it, oldest message first."""

    conversation: list[Turn]
    question: str


class Standalone(Part):
    """The question, complete without the conversation."""

    question: str = Field(min_length=1, max_length=2000)


def has_words(inputs: ContextualizeInputs, output: Standalone) -> list[str]:
    """Check that the rewritten question has words, unless the last message has none either."""
    worded = any(map(str.isalnum, output.question)) or not any(map(str.isalnum, inputs.question))
    return [] if worded else ["The rewritten question has no words."]


CONTEXTUALIZE = Decision("contextualize", ContextualizeInputs, Standalone, "planner", has_words, reasoned=False)


class LedFrom(Part):
    """A row or sentence of another component that links to this one or mentions its name."""

    component: str
    row: int | None = None
    sentence: int | None = None
    text: str = Field(default="", description="That row or sentence, perhaps cut.")
    words: str = Field(default="", description="The words of the link.")


class EvidenceText(Part):
    """A component as the reader sees it; rows and sentences are numbered from 0.

    Rules read all of it. A prompt shows the rows or sentences in ``shown``, with their original numbers.
    """

    id: str
    modality: str
    title: str
    section: str = ""
    place: str = Field(default="", description="Page or slide of its document: 'page 12'.")
    sentences: list[str] = Field(default_factory=list)
    header: list[str] = Field(default_factory=list)
    rows: list[list[str]] = Field(default_factory=list[list[str]])
    score: float
    parent: str | None = None
    parent_row: int | None = None
    has_picture: bool = False
    shown: list[int] | None = Field(default=None, description="Numbers of the rows or sentences shown; None: all.")
    left_out: str = Field(default="", description="How much of it is not shown, in words.")
    linked_from: list[LedFrom] = Field(default_factory=list[LedFrom], description="Rows or sentences that lead here.")
    page: str = Field(default="", description="Id of its document; for rules only.")
    order: int | None = Field(default=None, description="Position in the reading order of the page; for rules only.")
    nearness: list[float] = Field(
        default_factory=list[float],
        description="Similarity of each row or sentence with the question; for rules only.",
    )

    def is_shown(self, number: int) -> bool:
        """Return whether a prompt shows the row or sentence with this number."""
        return self.shown is None or number in self.shown

    @model_serializer(mode="wrap")
    def _as_shown(self, serialize: SerializerFunctionWrapHandler, info: SerializationInfo) -> dict[str, Any]:
        """Serialize for a prompt: the shown pieces with their numbers, and the other facts as ``about``."""
        values: dict[str, Any] = serialize(self)
        if not info.context or not info.context.get(IN_PROMPT):
            return values
        led = values["linked_from"] or [{"component": self.parent, "row": self.parent_row}]
        about = {
            "modality": "" if self.modality == "text" else self.modality,
            "title": self.title,
            "section": self.section,
            "place": self.place,
            "left_out": self.left_out,
            "linked_from": self._leads(led),
            "has_picture": self.has_picture,
        }
        return {
            **values,
            "about": _without_empty(about),
            "sentences": _numbered(self.sentences, self.shown),
            "rows": _numbered(self.rows, self.shown),
        }

    def _leads(self, led: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return what leads here, without words that only repeat the title, and without what says nothing."""
        named = [{**one, "words": ""} if one.get("words") == self.title else one for one in led]
        return [one for one in map(_without_empty, named) if one.keys() > {"component"} and one["component"]]


def _without_empty(facts: dict[str, Any]) -> dict[str, Any]:
    blank: tuple[Any, ...] = ("", [])
    return {
        key: value for key, value in facts.items() if value is not None and value is not False and value not in blank
    }


def _numbered(pieces: list[Any], shown: list[int] | None) -> list[dict[str, Any]]:
    numbers = range(len(pieces)) if shown is None else shown
    return [{"number": number, "text": pieces[number]} for number in numbers if number < len(pieces)]


class AnswerInputs(Part):
    """The question, answers of subqueries, the ranked evidence, and what the answer may be based on."""

    question: str
    knowledge: Literal["evidence", "both"] = "evidence"
    queries: list[str] = Field(default_factory=list[str], description="The last reformulation of the question, if any.")
    known: list[str] = Field(default_factory=list, description="'subquery: answer' lines found on the way.")
    evidence: list[EvidenceText]


class Reading(Part):
    """An answer from the evidence, or from own knowledge where that may be, or an abstention that says what lacks."""

    short: str = Field(default="", max_length=SHORT_CHARACTERS, description="The answer alone: a span or number.")
    text: str = Field(
        max_length=ANSWER_CHARACTERS, validation_alias=EARLIER, description="The sentence with its reasons."
    )
    citations: list[CitedPiece] = Field(default_factory=list[CitedPiece])
    grounds: Literal["evidence", "both", "own"] = Field(
        default="evidence", description="What it rests on: own knowledge only where that is allowed, and never cited."
    )
    supported: bool = Field(description="False when the evidence does not support an answer.")
    confidence: float = Field(ge=0.0, le=1.0)

    @property
    def pieces(self) -> list[CitedPiece]:
        """All that is cited, in the order of the citations' numbers."""
        return self.citations


class StructuredReading(Structured, Reading):
    """A reading with parts where the answer is a list, a table or an account under headings."""

    @property
    def pieces(self) -> list[CitedPiece]:
        """What the text cites, then what the parts of the structure cite."""
        return [*self.citations, *(piece for part in self.parts for piece in part.citations)]


def cites_evidence(inputs: AnswerInputs, reading: Reading) -> list[str]:
    """Check that citations exist in the evidence and that a supported answer has one."""
    return cites_offered(inputs.evidence, reading, inputs.knowledge)


def cites_offered(
    evidence: Sequence[EvidenceText], reading: Reading, knowledge: Literal["evidence", "both"] = "evidence"
) -> list[str]:
    """Check a reading against any list of evidence."""
    problems: list[str] = []
    if reading.grounds != "evidence" and knowledge == "evidence":
        problems.append("Own knowledge does not count here; answer from the evidence, or abstain.")
    if reading.supported and not reading.pieces and reading.grounds != "own":
        problems.append("A supported answer must cite at least one component.")
    if reading.grounds == "own" and reading.pieces:
        problems.append("Own knowledge has no citations; cite the evidence and call the grounds 'evidence' or 'both'.")
    if reading.supported and not reading.text.strip():
        problems.append("A supported answer must not be empty.")
    if isinstance(reading, Structured):
        problems += structure_problems(reading, cited=reading.supported and reading.grounds == "evidence")
    return problems + citation_problems(evidence, reading.pieces)


def citation_problems(evidence: Sequence[EvidenceText], pieces: Sequence[CitedPiece]) -> list[str]:
    """Check that what is cited is in a list of evidence."""
    offered = {one.id: one for one in evidence}
    problems: list[str] = []
    for citation in pieces:
        cited = offered.get(citation.component)
        if cited is None:
            problems.append(
                f"Component {quote_ids(citation.component)} was not offered; offered are {sorted(offered)}."
            )
        elif citation.row is not None and not 0 <= citation.row < len(cited.rows):
            problems.append(f"{citation.component!r} has {len(cited.rows)} rows; row {citation.row} does not exist.")
        elif citation.sentence is not None and not 0 <= citation.sentence < len(cited.sentences):
            problems.append(
                f"{citation.component!r} has {len(cited.sentences)} sentences; {citation.sentence} does not exist."
            )
    return problems


def offered_pieces(inputs: AnswerInputs) -> Offers:
    """Return the components, rows and sentences that may be cited."""
    return offered_of(inputs.evidence, inputs.knowledge)


def offered_of(
    evidence: Sequence[EvidenceText], knowledge: Literal["evidence", "both"] = "evidence"
) -> dict[str, Sequence[str | int]]:
    """Return what may be cited from any list of evidence."""
    rows = {row for one in evidence for row in range(len(one.rows)) if one.is_shown(row)}
    sentences = {number for one in evidence for number in range(len(one.sentences)) if one.is_shown(number)}
    return {
        "grounds": ["evidence", "both", "own"] if knowledge == "both" else ["evidence"],
        "$defs.CitedPiece.component": [one.id for one in evidence],
        "$defs.CitedPiece.row": sorted(rows),
        "$defs.CitedPiece.sentence": sorted(sentences),
    }


ANSWER = Decision("answer", AnswerInputs, StructuredReading, "reader", cites_evidence, offers=offered_pieces)
