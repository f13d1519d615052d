"""FiF's decisions of the next action: the orchestrator's action, and new subqueries for a stalled run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from backtrail.state.decision import Decision, Offers, Part, quote_ids
from backtrail.state.decompose_decisions import PlannedSubquery, earlier_only
from backtrail.state.fif.choice_decisions import RerankCandidate
from backtrail.state.fif.memory_views import HopView, SubqueryView
from backtrail.state.fif.strategy_wording import ComponentMode, DocumentMode
from backtrail.state.hop import Granularity


# --- orchestrate ---------------------------------------------------------------------------------
class Allowed(Part):
    """Actions that the settings allow (ablation switches)."""

    backtracking: bool
    reasoning: bool
    global_hop: bool
    granularity: bool
    planner: bool


class OrchestrateInputs(Part):
    """The whole memory, and the titles of neighbours of the last hop's documents."""

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
    """Check that anchors are earlier searches, subqueries exist, and switched-off actions are not used."""
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
            f"Documents {quote_ids(*strangers)} were not found by step {action.anchor}; it found {sorted(reached)}."
        )
    if action.document_mode == "neighbors" and not steps:
        problems.append("There is no earlier step with documents, so there are no neighbors; use vector search.")
    if action.subquery_id is not None and action.subquery_id not in known:
        problems.append(f"Subquery {quote_ids(action.subquery_id)} does not exist; offered ids are {known}.")
    if not inputs.allowed.reasoning and "llm reasoning" in (action.document_mode, action.component_mode):
        problems.append("Reasoning modes are switched off; use neighbors or vector search.")
    if not inputs.allowed.global_hop and steps and action.document_mode != "neighbors":
        problems.append("Global search is switched off after the first hop; use neighbors.")
    return problems


def offered_actions(inputs: OrchestrateInputs) -> Offers:
    """Return the open actions and modes, the subqueries, and the steps and documents to start from."""
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
    """Set a missing anchor to the latest step that found all the named documents."""
    if action.action != "search" or action.anchor is not None or not action.anchor_documents:
        return action
    wanted = set(action.anchor_documents)
    steps = [hop.step for hop in inputs.memory if wanted <= {document.id for document in hop.documents}]
    return action.model_copy(update={"anchor": steps[-1]}) if steps else action


ORCHESTRATE = Decision(
    "fif_orchestrate", OrchestrateInputs, Action, "planner", action_fits, offers=offered_actions, normalize=with_anchor
)


# --- plan ----------------------------------------------------------------------------------------
class PlanInputs(Part):
    """The question, its subqueries, the whole history, and what was retrieved."""

    question: str
    subqueries: list[SubqueryView]
    memory: list[HopView]
    evidence: list[RerankCandidate] = Field(default=[], description="All components in memory; rules read none.")


class Replan(Part):
    """One or two new subqueries; earlier ones stay."""

    subqueries: list[PlannedSubquery] = Field(min_length=1, max_length=2)


PLAN = Decision("fif_plan", PlanInputs, Replan, "planner", lambda inputs, plan: earlier_only(inputs, plan))  # type: ignore[arg-type]
