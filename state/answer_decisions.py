"""Decisions at the two ends of every method: make a follow-up standalone, and answer from evidence."""

from __future__ import annotations

from pydantic import AliasChoices, Field

from backtrail.state.decision import Decision, Offers, Part

# An answer is a name, a sentence or a few paragraphs (ours).
ANSWER_CHARACTERS = 4000
# … and what of it is compared with other answers is a span or a list of them (ours).
SHORT_CHARACTERS = 600
# Replies were of one text under this name before an answer had a short form.
EARLIER = AliasChoices("text", "answer")


class Turn(Part):
    """One earlier message."""

    speaker: str
    text: str


class ContextualizeInputs(Part):
    """A follow-up with the conversation before it, oldest first."""

    conversation: list[Turn]
    question: str


class Standalone(Part):
    """The question, complete without the conversation."""

    question: str = Field(min_length=1, max_length=2000)


CONTEXTUALIZE = Decision("contextualize", ContextualizeInputs, Standalone, "planner", reasoned=False)


class EvidenceText(Part):
    """A component as the reader sees it. Tables come as rows numbered from 0, sentences likewise."""

    id: str
    modality: str
    title: str
    section: str = ""
    sentences: list[str] = Field(default_factory=list)
    header: list[str] = Field(default_factory=list)
    rows: list[list[str]] = Field(default_factory=list[list[str]])
    score: float
    parent: str | None = None
    parent_row: int | None = None
    has_picture: bool = False


class AnswerInputs(Part):
    """The question, tentative answers of the subqueries, and the ranked evidence."""

    question: str
    queries: list[str] = Field(
        default_factory=list[str], description="What the question was last reformulated to, where a method does."
    )
    known: list[str] = Field(default_factory=list, description="'subquery: answer' lines found on the way.")
    evidence: list[EvidenceText]


class CitedPiece(Part):
    """What the answer rests on: a component, and its row or sentence if one is meant."""

    component: str
    row: int | None = None
    sentence: int | None = None


class Reading(Part):
    """An answer from the evidence alone, or an abstention that says what is missing."""

    short: str = Field(default="", max_length=SHORT_CHARACTERS, description="The answer alone: a span, number or list.")
    text: str = Field(
        max_length=ANSWER_CHARACTERS, validation_alias=EARLIER, description="The sentence with its reasons."
    )
    citations: list[CitedPiece] = Field(default_factory=list[CitedPiece])
    supported: bool = Field(description="False when the evidence does not support an answer.")
    confidence: float = Field(ge=0.0, le=1.0)


def cites_evidence(inputs: AnswerInputs, reading: Reading) -> list[str]:
    """Citations name offered components and existing rows or sentences; a supported answer has one."""
    offered = {evidence.id: evidence for evidence in inputs.evidence}
    problems: list[str] = []
    if reading.supported and not reading.citations:
        problems.append("A supported answer must cite at least one component.")
    if reading.supported and not reading.text.strip():
        problems.append("A supported answer must not be empty.")
    for citation in reading.citations:
        evidence = offered.get(citation.component)
        if evidence is None:
            problems.append(f"Component {citation.component!r} was not offered; offered are {sorted(offered)}.")
        elif citation.row is not None and not 0 <= citation.row < len(evidence.rows):
            problems.append(f"{citation.component!r} has {len(evidence.rows)} rows; row {citation.row} does not exist.")
        elif citation.sentence is not None and not 0 <= citation.sentence < len(evidence.sentences):
            problems.append(
                f"{citation.component!r} has {len(evidence.sentences)} sentences; {citation.sentence} does not exist."
            )
    return problems


def offered_pieces(inputs: AnswerInputs) -> Offers:
    """The components with their rows and sentences, numbered as far as the longest of them goes."""
    return {
        "citations.component": [evidence.id for evidence in inputs.evidence],
        "citations.row": range(max((len(evidence.rows) for evidence in inputs.evidence), default=0)),
        "citations.sentence": range(max((len(evidence.sentences) for evidence in inputs.evidence), default=0)),
    }


ANSWER = Decision("answer", AnswerInputs, Reading, "reader", cites_evidence, offers=offered_pieces)
