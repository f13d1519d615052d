"""Decisions of MMAPG's retrieval module, step 5: does a candidate bear on the instruction, and what does it say?

As published each candidate is examined by itself; several at a time are ours.
"""

from __future__ import annotations

from pydantic import Field

from backtrail.state.decision import Decision, Offers, Part, as_named


class Examined(Part):
    """A candidate as an examiner sees it. Measures are of the instruction."""

    id: str
    modality: str
    title: str
    section: str = ""
    entries: list[str] = Field(description="What of it lay within reach of the queries.")
    text: str
    linking_piece: str = Field(default="", description="The row or sentence whose link led here.")
    similarity: float = 0.0
    coverage: float = 0.0
    path_coverage: float = 0.0
    context: float | None = Field(
        default=None, description="How well its section and document fit; None where words are not searched."
    )
    has_picture: bool = Field(default=False, description="Of several candidates: its picture is attached.")


class ExamineTextInputs(Part):
    """One candidate, for one instruction."""

    instruction: str
    candidate: Examined


class TextExamination(Part):
    """Whether a candidate bears on the instruction, and what it says of it."""

    related: bool
    says: str = Field(default="", max_length=700)


def says_what_is_related(inputs: ExamineTextInputs, examined: TextExamination) -> list[str]:
    """What is related says something."""
    if examined.related and not examined.says.strip():
        return ['The candidate is related, so "says" must hold what it says.']
    return []


EXAMINE_TEXT = Decision(
    "mmapg_examine_text", ExamineTextInputs, TextExamination, "reader", says_what_is_related
)  # fmt: skip


class ExaminePictureInputs(Part):
    """One picture, for one instruction; the question is empty where none was asked of pictures.

    The picture itself is attached for a model that sees.
    """

    instruction: str
    question: str
    candidate: Examined


class PictureExamination(Part):
    """What the picture shows, and what it says to the question."""

    related: bool
    description: str = Field(default="", max_length=400)
    answer: str = Field(default="", max_length=300)


def describes_what_is_related(inputs: ExaminePictureInputs, examined: PictureExamination) -> list[str]:
    """What is related is described."""
    if examined.related and not examined.description.strip():
        return ['The picture is related, so "description" must say what it shows.']
    return []


EXAMINE_PICTURE = Decision(
    "mmapg_examine_picture", ExaminePictureInputs, PictureExamination, "vlm", describes_what_is_related
)


class ExamineChunkInputs(Part):
    """Several candidates for one instruction, and what earlier ones said."""

    instruction: str
    found: list[str] = Field(default_factory=list[str])
    candidates: list[Examined]


class ExaminePicturesInputs(ExamineChunkInputs):
    """Pictures; the question is empty where none was asked of them. Those of a model that sees are attached."""

    question: str = ""


class ChunkFinding(Part):
    """What one candidate says to the instruction."""

    component: str
    related: bool = True
    says: str = Field(default="", max_length=2_000)


class ChunkExamination(Part):
    """The candidates that bear on the instruction; those that are not named do not. What is found may settle it."""

    findings: list[ChunkFinding] = Field(default_factory=list[ChunkFinding], max_length=60)
    settled: bool = False


def examines_what_is_shown(inputs: ExamineChunkInputs, examined: ChunkExamination) -> list[str]:
    """Findings are of candidates that were shown."""
    shown = {candidate.id for candidate in inputs.candidates}
    return [
        f"{as_named(finding.component)} is no candidate; shown are {sorted(shown)}."
        for finding in examined.findings
        if finding.component not in shown
    ]


def offered_candidates(inputs: ExamineChunkInputs) -> Offers:
    """The candidates that are shown."""
    return {"findings.component": [candidate.id for candidate in inputs.candidates]}


EXAMINE_TEXTS = Decision(
    "mmapg_examine_texts", ExamineChunkInputs, ChunkExamination, "reader", examines_what_is_shown,
    offers=offered_candidates,
)  # fmt: skip
EXAMINE_PICTURES = Decision(
    "mmapg_examine_pictures", ExaminePicturesInputs, ChunkExamination, "vlm", examines_what_is_shown,
    offers=offered_candidates,
)  # fmt: skip
