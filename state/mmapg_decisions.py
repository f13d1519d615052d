"""The decisions of MMAPG: planning (section 3.3) and the six steps of its retrieval module (section 3.4).

The reasoning module takes the decision that every method's reader takes (``answer_decisions.ANSWER``).
Similarities and coverages are measured by the nodes and given to every decider alike. Rules act on
them; a chat model may read or ignore them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from backtrail.state.decision import Decision
from backtrail.state.planning_graph import CONTENT_CHARACTERS

ImageKind = Literal["none", "targeted", "descriptive"]
NODES_AT_ONCE = 4


class Part(BaseModel):
    """Inputs and outputs take no unknown field: a typing slip is an error, not a silent default."""

    model_config = ConfigDict(extra="forbid")


# --- the overall plan ----------------------------------------------------------------------------
class OverallPlanInputs(Part):
    """A question, and whether a picture comes with it."""

    question: str
    has_picture: bool = False


class KeyPart(Part):
    """One piece of information the answer needs; ``needs`` are 0-based indexes of earlier parts."""

    text: str = Field(min_length=1, max_length=400)
    needs: list[int] = Field(default_factory=list[int])


class OverallPlan(Part):
    """The key components of a question."""

    components: list[KeyPart] = Field(min_length=1, max_length=6)


def needs_earlier_parts(inputs: OverallPlanInputs, plan: OverallPlan) -> list[str]:
    """A part may need earlier parts only."""
    return [
        f"Component {index} needs {needed}; only indexes 0 to {index - 1} come before it."
        for index, component in enumerate(plan.components)
        for needed in component.needs
        if not 0 <= needed < index
    ]


OVERALL_PLAN = Decision("mmapg_overall_plan", OverallPlanInputs, OverallPlan, "planner", needs_earlier_parts)


# --- the next node -------------------------------------------------------------------------------
class NodeView(Part):
    """A node of the planning graph as the planner sees it; long contents are shortened, with a mark."""

    id: str
    type: Literal["question", "answer", "retrieval"]
    parents: list[str]
    status: str
    instruction: str
    within: str
    content: str
    sources: list[str] = Field(default_factory=list, description="Titles of its sources, best first.")
    added: int = Field(default=0, description="How many of its sources no earlier retrieval had.")
    links: int = Field(default=0, description="How many other documents its sources link to.")
    names: list[str] = Field(default_factory=list, description="Names its content says and the question does not.")
    conflicts: list[str] = Field(default_factory=list, description="Where its sources contradict each other.")
    coverage: float = Field(default=0.0, description="Share of the question that its best source covers, in [0, 1].")


class Choices(Part):
    """What the settings leave open."""

    side_by_side: bool
    links: bool
    single_path: bool


class PlanInputs(Part):
    """The overall plan and the whole graph."""

    question: str
    overall_plan: list[KeyPart]
    nodes: list[NodeView]
    turns_left: int
    choices: Choices


class NextNode(Part):
    """A node to grow: its type, the nodes it builds on, and what is to be done."""

    type: Literal["question", "retrieval", "answer", "stop"]
    parents: list[str] = Field(default_factory=list, description="Ids of existing nodes.")
    instruction: str = Field(default="", max_length=600)
    within: Literal["corpus", "links"] = Field(default="corpus", description="Where a retrieval looks.")
    why: str = Field(default="", max_length=400, description="One sentence for the trace.")


class NextNodes(Part):
    """One node, or several that do not depend on each other where that is allowed."""

    nodes: list[NextNode] = Field(min_length=1, max_length=NODES_AT_ONCE)


def grows_from_the_graph(inputs: PlanInputs, proposed: NextNodes) -> list[str]:
    """Parents are existing nodes that were not refused; the rest is what the settings leave open."""
    problems: list[str] = []
    if len(proposed.nodes) > 1 and not inputs.choices.side_by_side:
        problems.append(f"Give exactly one node; {len(proposed.nodes)} were given.")
    if len(proposed.nodes) > 1 and any(node.type == "stop" for node in proposed.nodes):
        problems.append("A stop stands alone; give it without other nodes.")
    for node in proposed.nodes:
        problems += _misgrown(inputs, node)
    return problems


def _misgrown(inputs: PlanInputs, node: NextNode) -> list[str]:
    offered = {view.id: view for view in inputs.nodes if view.status != "refused"}
    problems = [
        f"{parent!r} is no parent; nodes that can be built upon are {sorted(offered)}."
        for parent in node.parents
        if parent not in offered
    ]
    if node.type == "stop":
        return problems
    if not node.parents:
        problems.append(f"A {node.type} needs at least one parent; {sorted(offered)} can be built upon.")
    if not node.instruction.strip():
        problems.append(f"A {node.type} needs an instruction.")
    linking = [view.id for view in offered.values() if view.links]
    if node.within == "links" and not inputs.choices.links:
        problems.append('Following links is switched off; give "within" as "corpus".')
    elif node.within == "links" and not set(linking).intersection(node.parents):
        problems.append(f'"links" needs a parent whose sources have links; these are {linking or "none"}.')
    return problems + (_off_the_path(offered, node) if inputs.choices.single_path else [])


def _off_the_path(offered: dict[str, NodeView], node: NextNode) -> list[str]:
    last = list(offered.values())[-1]
    wanted = path_type(last)
    problems: list[str] = []
    if node.type != wanted:
        problems.append(f"After the {last.type} {last.id} comes a {wanted} or a stop, not a {node.type}.")
    if node.parents != [last.id]:
        problems.append(f"On a single path the only parent is the last node, {last.id!r}.")
    return problems


def path_type(last: NodeView) -> Literal["retrieval", "answer"]:
    """What may follow a node on a single path: retrievals and answers in turn."""
    return "answer" if last.type == "retrieval" and last.status == "found" else "retrieval"


PLAN = Decision("mmapg_plan", PlanInputs, NextNodes, "planner", grows_from_the_graph)


# --- retrieval, steps 1 to 3: what to look for ---------------------------------------------------
class ParentView(Part):
    """A node that the retrieval builds on."""

    id: str
    type: str
    instruction: str
    content: str


class SplitInputs(Part):
    """An instruction with the nodes it builds on."""

    instruction: str
    parents: list[ParentView]


class Split(Part):
    """The text-related and the image-related part; the kind says how the image is to be found."""

    text_part: str = Field(default="", max_length=600)
    image_part: str = Field(default="", max_length=600)
    image_kind: ImageKind = "none"


def splits_something(inputs: SplitInputs, split: Split) -> list[str]:
    """At least one part, and a kind exactly where there is an image part."""
    problems: list[str] = []
    if not split.text_part.strip() and not split.image_part.strip():
        problems.append("Both parts are empty; at least one says what to look for.")
    if (split.image_kind == "none") == bool(split.image_part.strip()):
        problems.append(f'The image part is {split.image_part!r}, but "image_kind" is {split.image_kind!r}.')
    return problems


SPLIT = Decision("mmapg_split", SplitInputs, Split, "planner", splits_something)


class TextQueriesInputs(Part):
    """The text-related part."""

    text_part: str


class TextQueries(Part):
    """Key phrases to search for."""

    queries: list[str] = Field(min_length=1, max_length=6)


def says_something(inputs: BaseModel, found: TextQueries | ImageQueries) -> list[str]:
    """No query is empty or longer than a phrase may be."""
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


# --- retrieval, step 5: examine ------------------------------------------------------------------
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
    """One picture, for one instruction; the picture itself is attached for a model that sees."""

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


# --- retrieval, step 6: compile ------------------------------------------------------------------
class FindingView(Part):
    """The result of one examination, related ones only."""

    component: str
    document: str
    title: str
    modality: str
    says: str
    fit: float = Field(default=0.0, description="Coverage and similarity of the instruction together.")


class CompileInputs(Part):
    """All related findings, best first."""

    instruction: str
    findings: list[FindingView]
    keep: int = Field(description="Most sources that may be named.")


class Compiled(Part):
    """What was found for the instruction, from which sources, and where they contradict each other."""

    found: bool
    content: str = Field(default="", max_length=CONTENT_CHARACTERS)
    sources: list[str] = Field(default_factory=list)
    conflicts: list[str] = Field(default_factory=list, max_length=3)


def compiled_from_findings(inputs: CompileInputs, compiled: Compiled) -> list[str]:
    """Sources were offered, and a find has content and sources."""
    offered = {finding.component for finding in inputs.findings}
    problems = [
        f"{source!r} is no finding; offered are {sorted(offered)}."
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


COMPILE = Decision("mmapg_compile", CompileInputs, Compiled, "reader", compiled_from_findings)
