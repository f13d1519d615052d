"""MMAPG's memory: the overall plan and the planning graph; and that of one retrieval inside it."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from backtrail.state.component import Modality
from backtrail.state.conversation import Answered
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure, merge_failures
from backtrail.state.memory import Memory
from backtrail.state.mmapg.planning_graph import NodeKind, PlanningNode, Search, Within, merge_planning_nodes
from backtrail.state.usage import Charge, merge_charges


class KeyComponent(TypedDict):
    """A part of the overall plan; ``needs`` are indexes of the parts it builds on."""

    text: str
    needs: list[int]


class Proposed(TypedDict):
    """A node as the planner wants it, before it is held against the ledger."""

    kind: NodeKind
    parents: list[str]
    instruction: str
    within: Within
    why: str


class Growing(TypedDict):
    """What the executor of one admitted node is given: the node, and what its parents hold.

    ``spent`` is everything spent before, compacted: payloads of side-by-side work stay small.
    """

    node: PlanningNode
    parents: list[PlanningNode]
    evidence: dict[str, Evidence]
    question: str
    image: str | None
    spent: dict[str, Charge]


class MmapgState(Memory, total=False):
    """Everything a run of MMAPG remembers. ``opening`` is what is looked up first, where that was planned at once."""

    overall_plan: list[KeyComponent]
    opening: list[str]
    planning_graph: Annotated[list[PlanningNode], merge_planning_nodes]
    proposed: list[Proposed]
    admitted: list[PlanningNode]


class MmapgAnswered(Answered, total=False):
    """What a caller of MMAPG gets back: the common outcome, with the plan and the planning graph."""

    overall_plan: list[KeyComponent]
    planning_graph: Annotated[list[PlanningNode], merge_planning_nodes]


# --- one retrieval -------------------------------------------------------------------------------
class Candidate(TypedDict):
    """A component of which an entry lay within reach, with the entries that did and how well it fits.

    The parent led there by a link or a mention, if one did; ``row`` is the parent's row that holds the link.
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
    """What the examination of a candidate brought. ``seen`` tells pixels from words."""

    component: str
    related: bool
    says: str
    seen: Literal["text", "pixels", "words"]
    fit: float


def merge_findings(held: dict[str, Finding], new: dict[str, Finding]) -> dict[str, Finding]:
    """Reducer: by component; a finding made again replaces the earlier one."""
    return {**held, **new}


class Chunk(TypedDict):
    """Candidates that are examined in one call, by id: texts, or pictures with their words."""

    index: int
    pictured: bool
    components: list[str]


def either(held: bool, new: bool) -> bool:
    """Reducer: once said by one chunk, it is so."""
    return held or new


class RetrievalState(Growing, total=False):
    """The memory of one retrieval, step by step of the module.

    ``rounds`` are the chunks that are still to be examined, those of one round side by side; there are none where
    each candidate is examined by itself. ``settled`` says that what was found is all that was sought.
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


class Examining(TypedDict):
    """What the examination of one candidate is given."""

    node: PlanningNode
    index: int
    candidate: Candidate
    instruction: str
    image_question: str
    spent: dict[str, Charge]


class ExaminingChunk(TypedDict):
    """What the examination of one chunk is given; ``found`` is what earlier chunks said."""

    node: PlanningNode
    index: int
    candidates: list[Candidate]
    instruction: str
    image_question: str
    found: list[str]
    spent: dict[str, Charge]


class Retrieved(TypedDict, total=False):
    """What a retrieval hands back to the planning graph, and nothing else."""

    planning_graph: list[PlanningNode]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]
    failures: list[Failure]
