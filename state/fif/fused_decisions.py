"""FiF's fused decision (ours): judge the hop, and answer or propose the next one.

The paper calls an evaluator, an orchestrator, a planner, a reranker and a reader in turn. All of them read the same
memory and the same components, so one decision replaces the five.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from backtrail.state.answer_decisions import EvidenceText, StructuredReading, cites_offered
from backtrail.state.decision import Decision, Offers, Part, quote_ids
from backtrail.state.fif.memory_views import DocumentView
from backtrail.state.fif.orchestrate_decisions import Allowed
from backtrail.state.gathering import GatherKind
from backtrail.state.hop import Granularity, Reasoning, Scope
from backtrail.state.path import EdgeKind
from backtrail.state.subquery import SubqueryStatus

NOTE_CHARACTERS = 400
MOST_NEW = 4
StepKind = Literal["search", "opening", "compute", "gather", "summarise", "replan"]


# --- inputs --------------------------------------------------------------------------------------
class StepView(Part):
    """An earlier step: its target, strategy and outcome."""

    step: int
    kind: StepKind
    subquery_id: str | None = None
    subtask: str = ""
    scope: Scope | None = None
    granularity: Granularity | None = None
    reasoning: Reasoning | None = None
    from_documents: list[str] = Field(default_factory=list)
    outcome: Literal["success", "failure", "refused", "unjudged"]
    reason: str = ""
    edges: dict[EdgeKind, int] = Field(
        default_factory=dict[EdgeKind, int],
        description="Documents by the kind of edge that led to them, but for links.",
    )
    documents: list[DocumentView] = Field(default_factory=list[DocumentView], description="The best it reached.")
    relevant: list[str] = Field(default_factory=list, description="Components of it that were marked relevant.")


class OpenSubquery(Part):
    """A subquery with everything known about it."""

    id: str
    text: str
    status: SubqueryStatus
    answer: str = ""
    answered_by: str | None = None
    candidates: list[str] = Field(default_factory=list)
    unverified: list[str] = Field(default_factory=list)
    depends_on: list[str] = Field(default_factory=list)
    failed_searches: int = 0


class Neighbour(Part):
    """A document that an edge of shown evidence leads to and that was not reached yet."""

    id: str
    title: str
    linked_from: str = Field(description="The document that it is reached from.")
    by: EdgeKind = Field(default="link", description="Kind of that edge.")
    said: str = Field(default="", description="Text of the link or reference, or the shared name.")


class WantedDocument(Part):
    """One of several documents that the question asks about, and its components that are marked relevant."""

    document: str
    relevant: list[str] = Field(default_factory=list)


class Draft(Part):
    """The best answer so far, and what it leaves unverified."""

    answer: str
    unverified: list[str]


class SeenComponent(EvidenceText):
    """A shown component, with the measures that rules use. Prompts do not show the measures."""

    document: str = ""
    similarity: float = 0.0
    coverage: float = 0.0
    path_coverage: float = 0.0
    links: int = 0
    context: float | None = None


class AdvanceInputs(Part):
    """The whole memory, and the shown components: those marked relevant, then those of the last hop."""

    question: str
    has_picture: bool = False
    knowledge: Literal["evidence", "both"] = Field(default="evidence", description="What an answer may rest on.")
    documents_link: bool = Field(description="Whether shown components lead to other documents.")
    edges: dict[EdgeKind, int] = Field(
        default_factory=dict[EdgeKind, int], description="How many edges of each kind join documents of the corpus."
    )
    allowed: Allowed
    evidence: list[SeenComponent]
    unseen_pictures: list[str] = Field(default_factory=list, description="Pictures that cannot be shown, with why.")
    wanted: list[WantedDocument] = Field(
        default_factory=list[WantedDocument], description="Documents that the question asks about, if several."
    )
    memory: list[StepView]
    subqueries: list[OpenSubquery]
    draft: Draft | None = None
    neighbours: list[Neighbour] = Field(default_factory=list[Neighbour])
    neighbours_left_out: int = Field(default=0, description="How many more such documents there are.")
    hop: StepView = Field(description="The step to be judged.")
    steps_left: int
    may_compute: bool = Field(default=False, description="Whether something may be computed over tables in sight.")
    may_gather: bool = Field(default=False, description="Whether something may be gathered.")
    may_summarise: bool = Field(default=False, description="Whether documents may be summarised.")


# --- outputs -------------------------------------------------------------------------------------
class Finding(Part):
    """What is now known of a subquery: its answer, or candidates for it."""

    subquery_id: str
    answer: str = Field(default="", max_length=NOTE_CHARACTERS)
    component: str | None = None
    candidates: list[str] = Field(default_factory=list, max_length=8)
    unverified: list[str] = Field(default_factory=list, max_length=4)
    false_premise: bool = False


class NewSubquery(Part):
    """What has to be found out before the question can be answered."""

    text: str = Field(min_length=1, max_length=NOTE_CHARACTERS)
    depends_on: list[str] = Field(default_factory=list)


class Search(Part):
    """The next hop: its target and the three parts of its strategy."""

    subtask: str = Field(max_length=600)
    subquery_id: str | None = None
    scope: Scope = "global"
    granularity: Granularity = "component"
    reasoning: Reasoning = "none"
    from_documents: list[str] = Field(default_factory=list)


class Compute(Part):
    """A computation over tables in sight: what to compute, as a sentence, and from which tables."""

    subtask: str = Field(max_length=600)
    tables: list[str] = Field(max_length=6)


class Gather(Part):
    """What follows a component in sight, documents by a pattern, or places with a phrase; and what it is for."""

    kind: GatherKind
    target: str = Field(max_length=300)
    after: int | None = None
    subtask: str = Field(max_length=600)


class Summarise(Part):
    """Documents to read part by part, and what their summary is to be about."""

    target: str = Field(max_length=300)
    subtask: str = Field(max_length=600)


class Advance(Part):
    """The judgement of the hop, what it settles, and then the answer, the next search, or both."""

    success: bool
    relevant: list[str] = Field(default_factory=list)
    findings: list[Finding] = Field(default_factory=list[Finding])
    new_subqueries: list[NewSubquery] = Field(default_factory=list[NewSubquery], max_length=MOST_NEW)
    answer: StructuredReading | None = None
    unverified: list[str] = Field(default_factory=list, max_length=6)
    exhaustive: bool = Field(default=False, description="Whether the question asks for all of a kind or their number.")
    search: Search | None = None
    compute: Compute | None = None
    gather: Gather | None = None
    summarise: Summarise | None = None
    why: str = Field(default="", max_length=NOTE_CHARACTERS)


def is_complete(decided: Advance) -> bool:
    """Return whether the answer is supported and leaves nothing unverified."""
    return decided.answer is not None and decided.answer.supported and not decided.unverified


def advance_fits(inputs: AdvanceInputs, decided: Advance) -> list[str]:
    """Check that only shown evidence is named, and that there is an answer or a next search."""
    in_sight = [component.id for component in inputs.evidence]
    known = {subquery.id for subquery in inputs.subqueries}
    problems = [
        f"Component {quote_ids(key)} is not in sight; in sight are {in_sight}."
        for key in [*decided.relevant, *(one.component for one in decided.findings if one.component)]
        if key not in in_sight
    ]
    problems += [
        f"Subquery {quote_ids(one.subquery_id)} does not exist; existing ids are {sorted(known)}."
        for one in decided.findings
        if one.subquery_id not in known
    ]
    if decided.answer is not None:
        problems += cites_offered(inputs.evidence, decided.answer, inputs.knowledge)
    if not any((decided.search, decided.answer, decided.compute, decided.gather, decided.summarise)):
        problems.append(
            "Give an answer (it may be an abstention), the next search, or something to compute, gather or summarise."
        )
    if decided.answer is None and inputs.steps_left <= 0:
        problems.append("No step is left, so an answer is needed now; an abstention is one.")
    if decided.search is not None and inputs.steps_left > 0:
        problems += _search_fits(inputs, decided.search)
    if decided.compute is not None:
        problems += _compute_fits(inputs, decided.compute)
    if decided.gather is not None:
        problems += _gather_fits(inputs, decided.gather)
    if decided.summarise is not None:
        problems += _summary_fits(inputs, decided.summarise)
    return problems


def _compute_fits(inputs: AdvanceInputs, compute: Compute) -> list[str]:
    if not inputs.may_compute:
        return ["Nothing can be computed here; search or answer."]
    tables = _tables(inputs)
    strangers = [key for key in compute.tables if key not in tables]
    problems = [f"{quote_ids(*strangers)} is no table in sight; tables in sight are {tables}."] if strangers else []
    if not compute.tables or not compute.subtask.strip():
        problems.append("A computation needs a subtask and at least one table.")
    return problems


def _gather_fits(inputs: AdvanceInputs, gather: Gather) -> list[str]:
    if not inputs.may_gather:
        return ["Nothing can be gathered here; search or answer."]
    problems = [] if gather.target.strip() and gather.subtask.strip() else ["Gathering needs a target and a subtask."]
    in_sight = [component.id for component in inputs.evidence]
    if gather.kind == "rest" and gather.target not in in_sight:
        problems.append(f"Component {quote_ids(gather.target)} is not in sight; in sight are {in_sight}.")
    return problems


def _summary_fits(inputs: AdvanceInputs, summarise: Summarise) -> list[str]:
    if not inputs.may_summarise:
        return ["Nothing can be summarised part by part here; search, gather or answer."]
    named = summarise.target.strip() and summarise.subtask.strip()
    return [] if named else ["A summary needs a target and a subtask."]


def _tables(inputs: AdvanceInputs) -> list[str]:
    return [component.id for component in inputs.evidence if component.modality == "table"]


def _search_fits(inputs: AdvanceInputs, search: Search) -> list[str]:
    problems: list[str] = []
    if not search.subtask.strip():
        problems.append("A search needs a subtask: the text to search for.")
    reached = _reached(inputs)
    if strangers := [document for document in search.from_documents if document not in reached]:
        problems.append(f"Documents {quote_ids(*strangers)} are not in sight; in sight are {sorted(reached)}.")
    if search.scope == "local" and not inputs.documents_link:
        problems.append("Documents of this corpus do not link to each other; use the scope global.")
    if search.scope == "global" and not inputs.allowed.global_hop:
        problems.append("Global search is switched off after the first hop; use the scope local.")
    return problems


def _reached(inputs: AdvanceInputs) -> set[str]:
    """Return the documents that a search may start from."""
    steps = {document.id for step in inputs.memory for document in step.documents}
    return (
        steps
        | {component.document for component in inputs.evidence if component.document}
        | {one.id for one in inputs.neighbours}
    )


def settled(inputs: AdvanceInputs, decided: Advance) -> Advance:
    """Correct a decision where that needs no guessing, which saves another call."""
    documents = {component.id: component.document for component in inputs.evidence}
    changes: dict[str, object] = {"relevant": list(dict.fromkeys(decided.relevant))}
    known = {subquery.id: subquery for subquery in inputs.subqueries}
    changes["findings"] = [one for one in decided.findings if one.subquery_id in known]
    if decided.search is not None:
        # A component means its document, and a neighbour the document that links to it; others are dropped.
        via = {one.id: one.linked_from for one in inputs.neighbours if one.linked_from}
        named = [documents.get(one, via.get(one, one)) for one in decided.search.from_documents]
        start = [one for one in dict.fromkeys(named) if one in _reached(inputs)]
        served = decided.search.subquery_id if decided.search.subquery_id in known else None
        local = decided.search.scope == "local" and inputs.documents_link
        scope: Scope = "local" if local or not inputs.allowed.global_hop else "global"
        search = decided.search.model_copy(update={"from_documents": start, "subquery_id": served, "scope": scope})
        changes["search"] = search if search.subtask.strip() else None
    return decided.model_copy(update=changes)


def offered_to_advance(inputs: AdvanceInputs) -> Offers:
    """Return the shown components, subqueries, documents to start from, and open scopes."""
    components = [component.id for component in inputs.evidence]
    subqueries = [subquery.id for subquery in inputs.subqueries]
    scopes = ["global"] if inputs.allowed.global_hop else []
    # Every enumeration costs tokens in each call: fields that are seldom set are left to the check.
    return {
        "relevant": components,
        "findings.subquery_id": subqueries,
        "$defs.CitedPiece.component": components,
        "answer.grounds": ["evidence", "both", "own"] if inputs.knowledge == "both" else ["evidence"],
        "search.subquery_id": subqueries,
        "search.scope": [*scopes, *(["local"] if inputs.documents_link else [])] or ["global"],
        "compute.tables": _tables(inputs),
        "search.from_documents": [*components, *sorted(_reached(inputs) - {one.document for one in inputs.evidence})],
    }


ADVANCE = Decision(
    "fif_advance", AdvanceInputs, Advance, "planner", advance_fits, offers=offered_to_advance, normalize=settled
)
