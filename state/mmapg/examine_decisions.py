"""MMAPG's examination decisions (retrieval module, step 5): is a candidate related, what does it say?

As published each candidate is examined alone; several at a time are ours.
"""

from __future__ import annotations

from pydantic import Field

from backtrail.state.decision import Decision, Offers, Part, quote_ids


class Examined(Part):
    """A candidate as an examiner sees it. Its measures compare it with the instruction."""

    id: str
    modality: str
    title: str
    section: str = ""
    entries: list[str] = Field(description="Its entries within the radius of the queries.")
    text: str
    linking_piece: str = Field(default="", description="The row or sentence whose link led here.")
    similarity: float = 0.0
    coverage: float = 0.0
    path_coverage: float = 0.0
    context: float | None = Field(
        default=None, description="Fit of its section and document; None without lexical search."
    )
    has_picture: bool = Field(default=False, description="Whether its picture is attached, among several candidates.")


class ExamineTextInputs(Part):
    """One candidate for one instruction."""

    instruction: str
    candidate: Examined


class TextExamination(Part):
    """Whether a candidate bears on the instruction, and what it says of it."""

    related: bool
    says: str = Field(default="", max_length=700)


def says_what_is_related(inputs: ExamineTextInputs, examined: TextExamination) -> list[str]:
    """Check that a related candidate says something."""
    if examined.related and not examined.says.strip():
        return ['The candidate is related, so "says" must hold what it says.']
    return []


EXAMINE_TEXT = Decision(
    "mmapg_examine_text", ExamineTextInputs, TextExamination, "reader", says_what_is_related
)  # fmt: skip


class ExaminePictureInputs(Part):
    """One picture for one instruction; ``question`` is empty if none was asked about pictures.

    The picture is attached for a model that sees.
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
    """Check that a related picture is described."""
    if examined.related and not examined.description.strip():
        return ['The picture is related, so "description" must say what it shows.']
    return []


EXAMINE_PICTURE = Decision(
    "mmapg_examine_picture", ExaminePictureInputs, PictureExamination, "vlm", describes_what_is_related
)


class ExamineChunkInputs(Part):
    """Several candidates for one instruction, and the findings of earlier ones."""

    instruction: str
    found: list[str] = Field(default_factory=list[str])
    candidates: list[Examined]


class ExaminePicturesInputs(ExamineChunkInputs):
    """Several pictures; ``question`` may be empty. They are attached for a model that sees."""

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
    """Check that findings name shown candidates."""
    shown = {candidate.id for candidate in inputs.candidates}
    return [
        f"{quote_ids(finding.component)} is no candidate; shown are {sorted(shown)}."
        for finding in examined.findings
        if finding.component not in shown
    ]


def offered_candidates(inputs: ExamineChunkInputs) -> Offers:
    """Return the shown candidates."""
    return {"findings.component": [candidate.id for candidate in inputs.candidates]}


EXAMINE_TEXTS = Decision(
    "mmapg_examine_texts", ExamineChunkInputs, ChunkExamination, "reader", examines_what_is_shown,
    offers=offered_candidates,
)  # fmt: skip
EXAMINE_PICTURES = Decision(
    "mmapg_examine_pictures", ExaminePicturesInputs, ChunkExamination, "vlm", examines_what_is_shown,
    offers=offered_candidates,
)  # fmt: skip
