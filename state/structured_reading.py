"""Structure of an answer as a model writes it: parts of a list, a table or sections, each with citations (ours)."""

from __future__ import annotations

from pydantic import Field

from backtrail.state.decision import Part


class CitedPiece(Part):
    """What the answer rests on: a component, and its row or sentence if one is meant."""

    component: str
    row: int | None = None
    sentence: int | None = None


class AnswerPart(Part):
    """An item of a list; with a heading a section; with a column too a cell of the table row that the heading names."""

    heading: str = ""
    column: str = ""
    text: str = ""
    citations: list[CitedPiece] = Field(default_factory=list[CitedPiece])

    @property
    def form(self) -> str:
        """What the part belongs to: a list, a table or sections."""
        return "table" if self.column.strip() else "sections" if self.heading.strip() else "items"


class Structured(Part):
    """Parts of one form, or none."""

    parts: list[AnswerPart] = Field(default_factory=list[AnswerPart])


def structure_problems(structured: Structured, *, cited: bool) -> list[str]:
    """Check that all parts have one form and, where ``cited``, that each of them has a source."""
    parts = structured.parts
    forms = sorted({one.form for one in parts})
    problems = [f"The parts mix {' and '.join(forms)}; give all or none a heading, and a column."] if forms[1:] else []
    nameless = [str(number) for number, one in enumerate(parts, 1) if one.column.strip() and not one.heading.strip()]
    if nameless:
        problems.append(f"Part {', '.join(nameless)}: the heading of a cell names its row.")
    bare = [str(number) for number, one in enumerate(parts, 1) if cited and one.text.strip() and not one.citations]
    if bare:
        problems.append(f"Part {', '.join(bare)} cites nothing. Cite a source, or leave it out.")
    return problems
