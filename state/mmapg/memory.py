"""MMAPG's memory: the overall plan and the planning graph, and the state of one retrieval."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from backtrail.state.component import Modality
from backtrail.state.conversation import MethodOutput
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure, merge_failures
from backtrail.state.memory import Memory
from backtrail.state.mmapg.planning_graph import NodeKind, PlanningNode, Search, Within, merge_planning_nodes
from backtrail.state.usage import Charge, merge_charges


class KeyComponent(TypedDict):
    """A part of the overall plan; ``needs`` are indexes of the parts it depends on."""

    text: str
    needs: list[int]


class Proposed(TypedDict):
    """A node that the planner proposes, before it is checked against earlier retrievals."""

    kind: NodeKind
    parents: list[str]
    instruction: str
    within: Within
    why: str


class ExecutorInput(TypedDict):
    """Input of the executor of one admitted node: the node, its parents and their evidence.

    ``spent`` is the compacted usage so far, which keeps payloads of parallel work small.
    """

    node: PlanningNode
    parents: list[PlanningNode]
    evidence: dict[str, Evidence]
    question: str
    image: str | None
    spent: dict[str, Charge]


class MmapgState(Memory, total=False):
    """State of an MMAPG run. ``opening`` are the first retrievals, if they were planned at once."""

    overall_plan: list[KeyComponent]
    opening: list[str]
    planning_graph: Annotated[list[PlanningNode], merge_planning_nodes]
    proposed: list[Proposed]
    admitted: list[PlanningNode]


class MmapgAnswered(MethodOutput, total=False):
    """Output of MMAPG: the common output with the plan and the planning graph."""

    overall_plan: list[KeyComponent]
    planning_graph: Annotated[list[PlanningNode], merge_planning_nodes]


# --- one retrieval -------------------------------------------------------------------------------
class Candidate(TypedDict):
    """A component with entries within the radius, and how well it fits.

    The parent led to it by a link or a mention, if one did; ``row`` is the parent's row with the link.
    """

    component: str
    modality: Modality
    entries: list[str]
    similarity: float
    coverage: float
    path_coverage: float
    context: float | None
    parent: str | None
    row: int | None
    anchor: str
    pictured: bool


class Finding(TypedDict):
    """Result of examining a candidate. ``seen`` tells pixels from words."""

    component: str
    related: bool
    says: str
    seen: Literal["text", "pixels", "words"]
    fit: float


def merge_findings(current: dict[str, Finding], new: dict[str, Finding]) -> dict[str, Finding]:
    """Reducer: by component; a new finding replaces the earlier one."""
    return {**current, **new}


class Chunk(TypedDict):
    """Ids of candidates that are examined in one call: texts, or pictures with their words."""

    index: int
    pictured: bool
    components: list[str]


def either(current: bool, new: bool) -> bool:
    """Reducer: true once any chunk says so."""
    return current or new


class RetrievalState(ExecutorInput, total=False):
    """State of one retrieval.

    ``rounds`` are the chunks left to examine, those of one round in parallel; empty if each candidate is examined
    alone. ``settled``: the findings are all that was sought.
    """

    text_part: str
    image_part: str
    image_kind: Literal["none", "targeted", "descriptive"]
    text_queries: list[str]
    image_queries: list[str]
    image_question: str
    candidates: list[Candidate]
    search: Search
    rounds: list[list[Chunk]]
    settled: Annotated[bool, either]
    findings: Annotated[dict[str, Finding], merge_findings]
    planning_graph: list[PlanningNode]
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class ExaminationInput(TypedDict):
    """Input of the examination of one candidate."""

    node: PlanningNode
    index: int
    candidate: Candidate
    instruction: str
    image_question: str
    spent: dict[str, Charge]


class ExaminingChunk(TypedDict):
    """Input of the examination of one chunk; ``found`` are the findings of earlier chunks."""

    node: PlanningNode
    index: int
    candidates: list[Candidate]
    instruction: str
    image_question: str
    found: list[str]
    spent: dict[str, Charge]


class Retrieved(TypedDict, total=False):
    """Output of a retrieval to the planning graph."""

    planning_graph: list[PlanningNode]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]
    failures: list[Failure]
