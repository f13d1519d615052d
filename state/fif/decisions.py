"""The decisions of FiF: what each is given and what it must return (section 4.2 and 4.3).

Similarities and coverages are measured by the nodes and given to every decider alike. Rules act on
them; a chat model may read or ignore them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from backtrail.state.decision import Decision, Offers, Part, as_named
from backtrail.state.decompose_decisions import PlannedSubquery, earlier_only
from backtrail.state.fif.strategy_wording import ComponentMode, DocumentMode
from backtrail.state.hop import Granularity
from backtrail.state.path import EdgeKind


# --- memory as the deciders see it ---------------------------------------------------------------
class SubqueryView(Part):
    """A subquery with its status and answer."""

    id: str
    text: str
    status: Literal["open", "answered", "given_up"]
    answer: str = ""


class FoundView(Part):
    """A component that a hop kept."""

    id: str
    document: str
    title: str
    modality: str
    snippet: str
    similarity: float
    coverage: float = Field(description="Share of the subtask it covers, with the path that led to it, in [0, 1].")
    links: int = Field(description="How many internal documents the component links to.")
    placed: int = Field(default=0, description="How many more are joined to it by a rare name or its place.")
    names: list[str] = Field(
        default_factory=list, description="Names it says and the question does not: what to search for next."
    )


class DocumentView(Part):
    """A document that a hop reached."""

    id: str
    title: str


class HopView(Part):
    """One step of the history."""

    step: int
    kind: Literal["traverse", "plan", "stop"]
    subquery_id: str | None
    subquery: str
    anchor_step: int | None
    anchors: list[str] = Field(default_factory=list, description="Ids of the documents the hop started from.")
    document_mode: DocumentMode | None
    component_mode: ComponentMode | None
    granularity: Granularity | None
    outcome: Literal["success", "failure", "refused"]
    reason: str
    edges: dict[EdgeKind, int] = Field(
        default_factory=dict[EdgeKind, int],
        description="Documents by the kind of edge that led to them; none where authors' links alone did.",
    )
    documents: list[DocumentView]
    found: list[FoundView]


# --- orchestrate ---------------------------------------------------------------------------------
class Allowed(Part):
    """Which actions the settings leave open (ablation switches)."""

    backtracking: bool
    reasoning: bool
    global_hop: bool
    granularity: bool
    planner: bool


class OrchestrateInputs(Part):
    """The whole memory, and the titles of documents next to those found last."""

    question: str
    subqueries: list[SubqueryView]
    memory: list[HopView]
    neighbours: list[str]
    steps_left: int
    allowed: Allowed


class Action(Part):
    """One action: stop, replan, or search with its target and strategy."""

    action: Literal["search", "replan", "stop"]
    subquery_id: str | None = Field(default=None, description="The subquery this search serves.")
    subtask: str = Field(default="", max_length=600, description="The sharpened search text.")
    document_mode: DocumentMode = "vector search"
    component_mode: ComponentMode = "vector search"
    anchor: int | None = Field(default=None, description="0-based step whose documents the search starts from.")
    anchor_documents: list[str] = Field(
        default_factory=list, description="Ids of that step's documents to start from; empty means all of them."
    )
    granularity: Granularity = "document"
    why: str = Field(default="", max_length=600, description="One sentence for the trace.")


def action_fits(inputs: OrchestrateInputs, action: Action) -> list[str]:
    """Anchors must be searches of the history, subqueries must exist, ablated actions are not offered."""
    problems: list[str] = []
    if action.action == "replan" and not inputs.allowed.planner:
        problems.append("Replanning is switched off; choose search or stop.")
    if action.action != "search":
        return problems
    steps = [hop.step for hop in inputs.memory if hop.kind == "traverse" and hop.documents]
    known = [subquery.id for subquery in inputs.subqueries]
    if not action.subtask.strip():
        problems.append("A search needs a subtask: the text to search for.")
    if action.anchor is not None and action.anchor not in steps:
        problems.append(f"Step {action.anchor} is no anchor; steps with documents are {steps or 'none yet'}.")
    reached = {document.id for hop in inputs.memory if hop.step == action.anchor for document in hop.documents}
    strangers = [document for document in action.anchor_documents if document not in reached]
    if strangers:
        problems.append(
            f"Documents {as_named(*strangers)} were not found by step {action.anchor}; it found {sorted(reached)}."
        )
    if action.document_mode == "neighbors" and not steps:
        problems.append("There is no earlier step with documents, so there are no neighbors; use vector search.")
    if action.subquery_id is not None and action.subquery_id not in known:
        problems.append(f"Subquery {as_named(action.subquery_id)} does not exist; offered ids are {known}.")
    if not inputs.allowed.reasoning and "llm reasoning" in (action.document_mode, action.component_mode):
        problems.append("Reasoning modes are switched off; use neighbors or vector search.")
    if not inputs.allowed.global_hop and steps and action.document_mode != "neighbors":
        problems.append("Global search is switched off after the first hop; use neighbors.")
    return problems


def offered_actions(inputs: OrchestrateInputs) -> Offers:
    """Actions and modes that are open, subqueries, and the steps with their documents that a search may start from."""
    anchors = [hop for hop in inputs.memory if hop.kind == "traverse" and hop.documents]
    modes = ["vector search", *(["llm reasoning"] if inputs.allowed.reasoning else [])]
    return {
        "action": ["search", *(["replan"] if inputs.allowed.planner else []), "stop"],
        "subquery_id": [subquery.id for subquery in inputs.subqueries],
        "document_mode": [*modes, *(["neighbors"] if anchors else [])],
        "component_mode": modes,
        "anchor": [hop.step for hop in anchors],
        "anchor_documents": list(dict.fromkeys(document.id for hop in anchors for document in hop.documents)),
    }


def with_anchor(inputs: OrchestrateInputs, action: Action) -> Action:
    """Documents to start from without a step belong to the latest step that found all of them."""
    if action.action != "search" or action.anchor is not None or not action.anchor_documents:
        return action
    wanted = set(action.anchor_documents)
    steps = [hop.step for hop in inputs.memory if wanted <= {document.id for document in hop.documents}]
    return action.model_copy(update={"anchor": steps[-1]}) if steps else action


ORCHESTRATE = Decision(
    "fif_orchestrate", OrchestrateInputs, Action, "planner", action_fits, offers=offered_actions, settle=with_anchor
)


# --- plan ----------------------------------------------------------------------------------------
class PlanInputs(Part):
    """What was asked, what was tried, and what is known."""

    question: str
    subqueries: list[SubqueryView]
    memory: list[HopView]


class Replan(Part):
    """One or two new subqueries; earlier ones stay."""

    subqueries: list[PlannedSubquery] = Field(min_length=1, max_length=2)


PLAN = Decision("fif_plan", PlanInputs, Replan, "planner", lambda inputs, plan: earlier_only(inputs, plan))  # type: ignore[arg-type]


# --- select (documents or components) ------------------------------------------------------------
class Candidate(Part):
    """An item that may be chosen; the index is its place in the list as offered.

    Coverages are shares of the searched text's content terms, weighted by rarity, in [0, 1].
    """

    index: int
    id: str
    modality: str = "document"
    title: str
    text: str
    similarity: float
    coverage: float = Field(
        default=0.0, description="By the best piece of the item alone (row, sentence, picture text)."
    )
    path_coverage: float = Field(default=0.0, description="By the item and the linking piece that led to it together.")
    links: int = Field(default=0, description="How many documents of the corpus the item links to.")
    context: float | None = Field(
        default=None, description="How well a component's section fits, in [0, 1]; None where words are not searched."
    )


class SelectInputs(Part):
    """A shortlist to be reranked for a subtask."""

    subtask: str
    candidates: list[Candidate]
    keep: int


class Choice(Part):
    """A chosen item, with its relevance."""

    index: int
    id: str
    score: float = Field(ge=0.0, le=1.0)


class Selection(Part):
    """The best first; only items that were offered."""

    choices: list[Choice]


def only_offered(inputs: SelectInputs | RerankInputs, selection: Selection) -> list[str]:
    """Every choice names an offered index with its own id, once."""
    offered = {candidate.index: candidate.id for candidate in inputs.candidates}
    problems: list[str] = []
    seen: set[int] = set()
    for choice in selection.choices:
        if choice.index not in offered:
            problems.append(f"Index {choice.index} was not offered; offered are 0 to {len(offered) - 1}.")
        elif offered[choice.index] != choice.id:
            problems.append(f"Index {choice.index} has the id {offered[choice.index]!r}, not {as_named(choice.id)}.")
        elif choice.index in seen:
            problems.append(f"Index {choice.index} was given twice.")
        seen.add(choice.index)
    return problems


def offered_candidates(inputs: SelectInputs | RerankInputs) -> Offers:
    """Index and id of every item of the list."""
    return {
        "choices.index": [candidate.index for candidate in inputs.candidates],
        "choices.id": [candidate.id for candidate in inputs.candidates],
    }


def by_id(inputs: SelectInputs | RerankInputs, selection: Selection) -> Selection:
    """Each item once, at its first place, with the index that belongs to its id: the id is what was meant."""
    places = {candidate.id: candidate.index for candidate in inputs.candidates}
    chosen: dict[str, Choice] = {}
    for choice in selection.choices:
        index = places.get(choice.id, choice.index)
        chosen.setdefault(choice.id, choice.model_copy(update={"index": index}))
    return Selection(choices=list(chosen.values()))


SELECT_DOCUMENTS = Decision(
    "fif_select_documents", SelectInputs, Selection, "planner", only_offered, offers=offered_candidates, settle=by_id
)
SELECT_COMPONENTS = Decision(
    "fif_select_components", SelectInputs, Selection, "planner", only_offered, offers=offered_candidates, settle=by_id
)


# --- evaluate ------------------------------------------------------------------------------------
class ReadComponent(Part):
    """A component with its contents, as evaluator and reader see it."""

    id: str
    modality: str
    title: str
    section: str = ""
    text: str
    similarity: float
    coverage: float = 0.0
    path_coverage: float = 0.0
    links: int = 0
    context: float | None = None
    parent: str | None = Field(default=None, description="The component whose link led here.")
    linking_piece: str = Field(default="", description="The row or sentence of the parent that holds the link.")
    anchor_text: str = Field(default="", description="The text of that link.")


class EvaluateInputs(Part):
    """What a hop brought, for its subtask and for every open subquery."""

    question: str
    subtask: str
    subquery_id: str | None
    open_subqueries: list[SubqueryView]
    known: list[SubqueryView]
    components: list[ReadComponent]
    unseen_pictures: list[str] = Field(default_factory=list, description="Pictures that cannot be shown, with why.")


class Resolved(Part):
    """A subquery that the components answer."""

    subquery_id: str
    answer: str = Field(max_length=400)
    component: str | None = None


class Evaluation(Part):
    """Success or failure of the hop, with the reason, and what else it resolves."""

    answerable: bool
    relevant: list[str] = Field(default_factory=list, description="Ids of the components that matter.")
    resolved: list[Resolved] = Field(default_factory=list[Resolved])
    reason: str = Field(default="", max_length=600)


def evaluation_fits(inputs: EvaluateInputs, evaluation: Evaluation) -> list[str]:
    """Only offered components and open subqueries may be named."""
    components = {component.id for component in inputs.components}
    open_ids = {subquery.id for subquery in inputs.open_subqueries}
    problems = [
        f"Component {as_named(component)} was not offered; offered are {sorted(components)}."
        for component in [*evaluation.relevant, *(r.component for r in evaluation.resolved if r.component)]
        if component not in components
    ]
    problems += [
        f"Subquery {as_named(resolved.subquery_id)} is not open; open ids are {sorted(open_ids)}."
        for resolved in evaluation.resolved
        if resolved.subquery_id not in open_ids
    ]
    return problems


def offered_to_evaluate(inputs: EvaluateInputs) -> Offers:
    """Components that the hop brought, and subqueries that are open."""
    components = [component.id for component in inputs.components]
    return {
        "relevant": components,
        "resolved.component": components,
        "resolved.subquery_id": [subquery.id for subquery in inputs.open_subqueries],
    }


def of_open_ones(inputs: EvaluateInputs, evaluation: Evaluation) -> Evaluation:
    """Without answers to subqueries that are answered already: named again, they change nothing."""
    answered = {subquery.id for subquery in inputs.known}
    kept = [resolved for resolved in evaluation.resolved if resolved.subquery_id not in answered]
    return evaluation.model_copy(update={"resolved": kept})


EVALUATE = Decision(
    "fif_evaluate",
    EvaluateInputs,
    Evaluation,
    "planner",
    evaluation_fits,
    offers=offered_to_evaluate,
    settle=of_open_ones,
)


# --- rerank --------------------------------------------------------------------------------------
class RerankCandidate(Candidate):
    """A component in memory, with the path that led to it."""

    parent: str | None = Field(default=None, description="The component in memory whose link leads here best.")
    from_best_row: bool = Field(default=False, description="That link stands in the parent's best fitting row.")
    onward_coverage: float = Field(default=0.0, description="By the best path that starts at the item, within memory.")


class RerankInputs(Part):
    """Everything in memory, against the original question."""

    question: str
    candidates: list[RerankCandidate]
    keep: int


RERANK = Decision(
    "fif_rerank", RerankInputs, Selection, "planner", only_offered, offers=offered_candidates, settle=by_id
)
