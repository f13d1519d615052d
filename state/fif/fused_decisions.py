"""FiF's fused decision (ours): judge the hop, and answer or propose the next one.

The paper calls an evaluator, an orchestrator, a planner, a reranker and a reader in turn. All of them read the same
memory and the same components, so one decision replaces the five.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from backtrail.state.answer_decisions import EvidenceText, StructuredReading, cites_offered
from backtrail.state.decision import Decision, Offers, Part, quote_ids
from backtrail.state.fif.memory_views import DocumentView
from backtrail.state.fif.orchestrate_decisions import Allowed
from backtrail.state.gathering import GATHER_KINDS, GatherKind
from backtrail.state.hop import Granularity, Reasoning, Scope
from backtrail.state.path import EdgeKind
from backtrail.state.subquery import SubqueryStatus

NOTE_CHARACTERS = 400
MOST_NEW, MOST_TABLES = 4, 6
ActionKind = Literal["search", "compute", "summarise", GatherKind]
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
    judgement: str = Field(default="", description="Of a gathering or computation: what the decision after it found.")
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


class NamedDocument(Part):
    """One of several documents that the question names, and how many of its components are in sight."""

    document: str
    in_sight: int


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
    own_knowledge: bool = Field(default=False, description="Whether own knowledge counts where the evidence ends.")
    documents_link: bool = Field(description="Whether shown components lead to other documents.")
    allowed: Allowed
    evidence: list[SeenComponent]
    unseen_pictures: list[str] = Field(default_factory=list, description="Pictures that cannot be shown, with why.")
    named_documents: list[NamedDocument] = Field(
        default_factory=list[NamedDocument], description="Documents that the question names, if several."
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


class NextAction(Part):
    """The next step: a search, a computation, a gathering or a summary, and over what.

    ``targets``: documents that a search starts from, tables to compute over, the component before or after which to
    read, a phrase, or documents and patterns. ``number``: the last row or sentence seen of that component, or before
    it the first. The strategy and the subquery are those of a search.
    """

    kind: ActionKind
    subtask: str = Field(max_length=600)
    targets: list[str] = Field(default_factory=list, max_length=12)
    number: int | None = None
    scope: Scope = "global"
    granularity: Granularity = "component"
    reasoning: Reasoning = "none"
    subquery_id: str | None = None


class Advance(Part):
    """The judgement of the hop, what it settles, and then the answer, the next action, or both."""

    success: bool
    why: str = Field(default="", max_length=NOTE_CHARACTERS)
    relevant: list[str] = Field(default_factory=list)
    findings: list[Finding] = Field(default_factory=list[Finding])
    new_subqueries: list[NewSubquery] = Field(default_factory=list[NewSubquery], max_length=MOST_NEW)
    answer: StructuredReading | None = None
    unverified: list[str] = Field(default_factory=list, max_length=6)
    exhaustive: bool = Field(default=False, description="Whether the question asks for all of a kind or their number.")
    action: NextAction | None = None


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
        problems += cites_offered(inputs.evidence, decided.answer, "both" if inputs.own_knowledge else "evidence")
    if decided.answer is None and decided.action is None:
        problems.append("Give an answer (it may be an abstention) or the next action.")
    if decided.answer is None and inputs.steps_left <= 0:
        problems.append("No step is left, so an answer is needed now; an abstention is one.")
    if decided.action is not None and inputs.steps_left > 0:
        problems += _action_fits(inputs, decided.action)
    return problems


def possible_kinds(inputs: AdvanceInputs) -> list[ActionKind]:
    """Return the kinds of actions that are possible in this step."""
    possible: dict[ActionKind, bool] = {
        "search": True,
        "compute": inputs.may_compute,
        **dict.fromkeys(GATHER_KINDS, inputs.may_gather),
        "summarise": inputs.may_summarise,
    }
    return [kind for kind, may in possible.items() if may]


def _action_fits(inputs: AdvanceInputs, action: NextAction) -> list[str]:
    """Check that the action is possible, and that its targets are in sight where they have to be."""
    kinds, targets = possible_kinds(inputs), action.targets
    if action.kind not in kinds:
        return [f"The action {action.kind!r} is not possible here; possible are {kinds}."]
    problems = [] if action.subtask.strip() else [f"The action {action.kind!r} needs a subtask."]
    if action.kind == "search":
        return problems + _search_fits(inputs, action)
    if not any(map(str.strip, targets)):
        problems.append(f"The action {action.kind!r} needs targets.")
    elif action.kind not in ("compute", "summarise") and len(targets) > 1:
        problems.append(f"The action {action.kind!r} takes one target.")
    in_sight = [one.id for one in inputs.evidence if action.kind != "compute" or one.modality == "table"]
    if action.kind in ("compute", "rest", "before") and (strangers := [one for one in targets if one not in in_sight]):
        what = "table" if action.kind == "compute" else "component"
        problems.append(f"{quote_ids(*strangers)} is no {what} in sight; in sight are {in_sight}.")
    if action.kind == "compute" and len(targets) > MOST_TABLES:
        problems.append(f"A computation takes at most {MOST_TABLES} tables.")
    return problems


def _search_fits(inputs: AdvanceInputs, search: NextAction) -> list[str]:
    problems: list[str] = []
    reached = _reached(inputs)
    if strangers := [document for document in search.targets if document not in reached]:
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
    if decided.action is not None and decided.action.kind == "search":
        # A component means its document, and a neighbour the document that links to it; others are dropped.
        via = {one.id: one.linked_from for one in inputs.neighbours if one.linked_from}
        named = [documents.get(one, via.get(one, one)) for one in decided.action.targets]
        start = [one for one in dict.fromkeys(named) if one in _reached(inputs)]
        served = decided.action.subquery_id if decided.action.subquery_id in known else None
        local = decided.action.scope == "local" and inputs.documents_link
        scope: Scope = "local" if local or not inputs.allowed.global_hop else "global"
        search = decided.action.model_copy(update={"targets": start, "subquery_id": served, "scope": scope})
        changes["action"] = search if search.subtask.strip() else None
    return decided.model_copy(update=changes)


def offered_to_advance(inputs: AdvanceInputs) -> Offers:
    """Return the shown components and what is possible now. Fields that cannot be set now are left out."""
    components = [component.id for component in inputs.evidence]
    subqueries = [subquery.id for subquery in inputs.subqueries]
    onward = inputs.steps_left > 0
    # Every enumeration costs tokens in each call: fields that are seldom set are left to the check.
    return {
        "relevant": components,
        "$defs.CitedPiece.component": components,
        "answer.grounds": ["evidence", "both", "own"] if inputs.own_knowledge else None,
        **({"findings.subquery_id": subqueries} if subqueries else {"findings": None}),
        **({} if onward and inputs.allowed.planner else {"new_subqueries": None}),
        **(_offered_actions(inputs, subqueries) if onward else {"action": None}),
    }


def _offered_actions(inputs: AdvanceInputs, subqueries: list[str]) -> dict[str, Sequence[str] | None]:
    allowed = inputs.allowed
    scopes = [*(["global"] if allowed.global_hop else []), *(["local"] if inputs.documents_link else [])]
    return {
        "action.kind": possible_kinds(inputs),
        "action.scope": scopes if len(scopes) > 1 else None,
        "action.subquery_id": subqueries or None,
        **({} if inputs.may_gather else {"action.number": None}),
        **({} if allowed.granularity else {"action.granularity": None}),
        **({} if allowed.reasoning else {"action.reasoning": None}),
    }


ADVANCE = Decision(
    "fif_advance", AdvanceInputs, Advance, "planner", advance_fits, offers=offered_to_advance, normalize=settled
)
