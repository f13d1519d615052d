"""MMAPG's decisions of retrieval (section 3.4): what to search (steps 1 to 3), and what to keep (6).

Step 4, finding the candidates, is a search and no decision; those of step 5 are in ``examine_decisions``.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from backtrail.state.decision import Decision, Offers, Part, quote_ids
from backtrail.state.mmapg.planning_graph import CONTENT_CHARACTERS

ImageKind = Literal["none", "targeted", "descriptive"]


# --- steps 1 to 3: what to search ----------------------------------------------------------------
class ParentView(Part):
    """A parent node of the retrieval."""

    id: str
    type: str
    instruction: str
    content: str


class SplitInputs(Part):
    """An instruction with its parent nodes."""

    instruction: str
    parents: list[ParentView]


class Split(Part):
    """The text-related and the image-related part; the kind says how the image is to be found."""

    text_part: str = Field(default="", max_length=600)
    image_part: str = Field(default="", max_length=600)
    image_kind: ImageKind = "none"


def splits_something(inputs: SplitInputs, split: Split) -> list[str]:
    """Check that there is a part, and a kind exactly if there is an image part."""
    problems: list[str] = []
    if not split.text_part.strip() and not split.image_part.strip():
        problems.append("Both parts are empty; at least one says what to look for.")
    image = bool(split.image_part.strip())
    if (split.image_kind == "none") == image:
        problems.append(f'"image_part" is {"given" if image else "empty"}, but "image_kind" is {split.image_kind!r}.')
    return problems


SPLIT = Decision("mmapg_split", SplitInputs, Split, "planner", splits_something)


class TextQueriesInputs(Part):
    """The text-related part."""

    text_part: str


class TextQueries(Part):
    """Key phrases to search for."""

    queries: list[str] = Field(min_length=1, max_length=6)


def says_something(inputs: BaseModel, found: TextQueries | ImageQueries) -> list[str]:
    """Check that no query is empty or longer than a phrase."""
    return [
        f"Query {index} has {len(query.strip())} characters; 1 to 300 are allowed."
        for index, query in enumerate(found.queries)
        if not 1 <= len(query.strip()) <= 300
    ]


TEXT_QUERIES = Decision("mmapg_text_queries", TextQueriesInputs, TextQueries, "planner", says_something)


class ImageQueriesInputs(Part):
    """The image-related part and its kind."""

    image_part: str
    image_kind: Literal["targeted", "descriptive"]


class ImageQueries(Part):
    """Names (targeted) or descriptions (descriptive) to search for, and a question to the examiner."""

    queries: list[str] = Field(min_length=1, max_length=4)
    question: str = Field(min_length=1, max_length=400)


IMAGE_QUERIES = Decision("mmapg_image_queries", ImageQueriesInputs, ImageQueries, "planner", says_something)


class Prepared(Split):
    """Both parts of an instruction with the queries of each (steps 1 to 3 at once).

    Queries of a part that is empty are not used; a part without a query is searched by its own words.
    """

    text_queries: list[str] = Field(default_factory=list[str], max_length=12)
    image_queries: list[str] = Field(default_factory=list[str], max_length=12)
    image_question: str = Field(default="", max_length=400)


def prepares_something(inputs: SplitInputs, prepared: Prepared) -> list[str]:
    """Check that a part says what to search; the rest can be corrected without another call."""
    if not prepared.text_part.strip() and not prepared.image_part.strip():
        return ["Both parts are empty; at least one says what to look for."]
    return []


PREPARE = Decision("mmapg_prepare", SplitInputs, Prepared, "planner", prepares_something)


# --- step 6: compile -----------------------------------------------------------------------------
class FindingView(Part):
    """The result of one examination; only related ones are shown."""

    component: str
    document: str
    title: str
    modality: str
    says: str
    fit: float = Field(default=0.0, description="Combined coverage and similarity with the instruction.")


class CompileInputs(Part):
    """All related findings, best first."""

    instruction: str
    findings: list[FindingView]
    keep: int = Field(description="Most sources to name.")


class Compiled(Part):
    """What was found for the instruction, from which sources, and where they contradict each other."""

    found: bool
    content: str = Field(default="", max_length=CONTENT_CHARACTERS)
    sources: list[str] = Field(default_factory=list)
    conflicts: list[str] = Field(default_factory=list, max_length=3)


def compiled_from_findings(inputs: CompileInputs, compiled: Compiled) -> list[str]:
    """Check that sources were offered, and that a find has content and sources."""
    offered = {finding.component for finding in inputs.findings}
    problems = [
        f"{quote_ids(source)} is no finding; offered are {sorted(offered)}."
        for source in compiled.sources
        if source not in offered
    ]
    if len(compiled.sources) > inputs.keep:
        problems.append(f"At most {inputs.keep} sources may be named; {len(compiled.sources)} were.")
    if compiled.found and not (compiled.sources and compiled.content.strip()):
        problems.append("Something was found, so content and sources must not be empty.")
    problems += [
        f"A conflict has {len(text)} characters; at most 300." for text in compiled.conflicts if len(text) > 300
    ]
    return problems


def offered_findings(inputs: CompileInputs) -> Offers:
    """Return the components whose examination found them related."""
    return {"sources": [finding.component for finding in inputs.findings]}


COMPILE = Decision("mmapg_compile", CompileInputs, Compiled, "reader", compiled_from_findings, offers=offered_findings)
