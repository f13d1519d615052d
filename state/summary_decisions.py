"""Decisions of a summary: the points of one part, and their order under headings or in a list (ours)."""

from __future__ import annotations

from pydantic import Field

from backtrail.state.answer_decisions import ANSWER_CHARACTERS, EvidenceText, citation_problems, offered_of
from backtrail.state.decision import Decision, Offers, Part
from backtrail.state.structured_reading import CitedPiece

# Of each part (ours): together less than one more part to read.
MOST_POINTS, POINT_CHARACTERS = 8, 600


class PartInputs(Part):
    """The question and one part of what is summarised, in its order."""

    question: str
    subtask: str
    part: int
    of: int
    evidence: list[EvidenceText]


class PartPoint(Part):
    """One thing that the part says, with the rows or sentences that say it."""

    text: str = Field(max_length=POINT_CHARACTERS)
    citations: list[CitedPiece]


class PointsOfPart(Part):
    """The most important points of the part; none where it says nothing on the question."""

    points: list[PartPoint] = Field(default_factory=list[PartPoint], max_length=MOST_POINTS)


class NumberedPoint(Part):
    """A point with the number that the summary names it by."""

    number: int
    part: str
    text: str


class MergeInputs(Part):
    """The question, and the points of all parts that were read, in their order."""

    question: str
    subtask: str
    points: list[NumberedPoint]
    not_read: list[str] = Field(default_factory=list[str], description="Names of the parts that were not read.")


class MergedPart(Part):
    """An item of a list or, with a heading, a section; and the points that its text rests on."""

    heading: str = ""
    text: str
    points: list[int]


class MergedSummary(Part):
    """The summary: an overview, then sections, or items where a list is asked for."""

    text: str = Field(max_length=ANSWER_CHARACTERS)
    parts: list[MergedPart] = Field(min_length=1)
    confidence: float = Field(ge=0.0, le=1.0)


def points_fit(inputs: PartInputs, output: PointsOfPart) -> list[str]:
    """Check that each point cites what is shown."""
    bare = [f"Point {number} cites nothing." for number, one in enumerate(output.points, 1) if not one.citations]
    return bare + citation_problems(inputs.evidence, [piece for one in output.points for piece in one.citations])


def pieces_of_part(inputs: PartInputs) -> Offers:
    """Return what may be cited."""
    return {path: values for path, values in offered_of(inputs.evidence).items() if path.startswith("$defs.")}


def summary_fits(inputs: MergeInputs, output: MergedSummary) -> list[str]:
    """Check that all parts have headings or none has, and that each part names points that exist."""
    known = {point.number for point in inputs.points}
    headed = {bool(one.heading.strip()) for one in output.parts}
    problems = ["Give all parts a heading, or none."] if len(headed) > 1 else []
    problems += [f"“points” of part {number} is empty." for number, one in enumerate(output.parts, 1) if not one.points]
    strangers = sorted({number for one in output.parts for number in one.points} - known)
    return problems + ([f"There are no points {strangers}; there are 1 to {len(known)}."] if strangers else [])


SUMMARISE_PART = Decision(
    "summarise_part", PartInputs, PointsOfPart, "reader", points_fit, offers=pieces_of_part, reasoned=False
)
MERGE_POINTS = Decision("merge_points", MergeInputs, MergedSummary, "reader", summary_fits, reasoned=False)
