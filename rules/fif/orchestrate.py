"""The offline orchestrator: cost ladder, re-anchoring and backtracking by measured outcomes.

The same rules as in the method's prompts (methods page of FiF): start cheap, escalate only on a recorded failure,
prefer the neighbours of successful components, backtrack when an anchor is exhausted, replan after two anchors
without results, stop when nothing is open.
"""

from __future__ import annotations

from typing import NamedTuple

from backtrail.language.terms import content_terms
from backtrail.rules.fif.evaluate import LEADS_ON
from backtrail.state.fif.memory_views import FoundView, HopView, SubqueryView
from backtrail.state.fif.orchestrate_decisions import Action, OrchestrateInputs
from backtrail.state.fif.strategy_wording import ComponentMode, DocumentMode
from backtrail.state.hop import Granularity

# Most names looked up in a run: each costs a step.
LEADS_PURSUED = 3
# A third anchor is rarely right if two were not.
ANCHORS_TRIED = 3


class Rung(NamedTuple):
    """One step of the cost ladder."""

    documents: DocumentMode
    components: ComponentMode
    granularity: Granularity


GLOBAL_LADDER = (
    Rung("vector search", "vector search", "document"),
    Rung("vector search", "vector search", "component"),
    Rung("vector search", "llm reasoning", "subcomponent"),
    Rung("llm reasoning", "llm reasoning", "subcomponent"),
)
# A name can be looked up only where it occurs: the document's subcomponents decide.
LEAD = Rung("vector search", "vector search", "component")
LOCAL_LADDER = (
    Rung("neighbors", "vector search", "document"),
    Rung("neighbors", "llm reasoning", "component"),
)


class Anchor(NamedTuple):
    """A possible start document, with the step that found it."""

    step: int
    document: str
    title: str
    fit: float


class Lead(NamedTuple):
    """A name in a component that is missing from the question: the next look-up."""

    anchor: Anchor
    name: str


def orchestrate(inputs: OrchestrateInputs) -> Action:
    """Choose one action from the whole memory."""
    target = next((subquery for subquery in inputs.subqueries if subquery.status == "open"), None)
    if target is None:
        return Action(action="stop", why="Nothing is left to look for.")
    searches = [hop for hop in inputs.memory if hop.kind == "traverse"]
    subtask = sharpened(inputs, target)
    rung = _next_global(inputs, searches, subtask)
    local = _next_local(inputs, searches, promising=LEADS_ON)
    if local is not None and not (rung and _neighbourhood_failed(searches, local[0])):
        return _search(target, subtask, local[1], local[0], _why_local(searches, local[0]))
    lead = _next_lead(inputs, searches)
    if lead is not None:
        return _search(target, f"{subtask[:500]} {lead.name}", LEAD, lead.anchor, _why_lead(searches, lead))
    if rung is not None:
        return _search(target, subtask, rung, None, _why_global(searches, rung))
    # Nothing else is left: even unpromising neighbourhoods are worth a hop now.
    local = _next_local(inputs, searches, promising=0.0)
    if local is not None:
        return _search(target, subtask, local[1], local[0], _why_local(searches, local[0]))
    if inputs.allowed.planner and not any(hop.kind == "plan" for hop in inputs.memory):
        return Action(action="replan", why="Every rung has failed from every anchor; the plan itself may be at fault.")
    return Action(action="stop", why="Every admissible route has been tried.")


def sharpened(inputs: OrchestrateInputs, target: SubqueryView) -> str:
    """Fuse the planned subqueries into one objective, with the entities found so far.

    Interdependent subqueries are constraints on one path, so the whole question is the best text to search for. A
    subquery added by a replan stays separate.
    """
    planned = {hop.subquery for hop in inputs.memory if hop.kind == "plan"}
    if any(target.text in text for text in planned):
        return target.text[:600]
    return inputs.question[:600]


def _anchors(inputs: OrchestrateInputs, searches: list[HopView], promising: float) -> list[Anchor]:
    """List relevant documents with links, best first; from the latest step only without backtracking."""
    considered = searches if inputs.allowed.backtracking else [hop for hop in searches if hop.documents][-1:]
    best: dict[str, Anchor] = {}
    for hop in considered:
        reached = {document.id for document in hop.documents}
        for found in hop.found:
            # Edges by rare name or folder are weaker than links: they are walked only if nothing else is left.
            leads = found.links or (not promising and found.placed)
            if not leads or found.document not in reached or found.coverage < promising:
                continue
            anchor = Anchor(hop.step, found.document, found.title, _fit(found))
            if found.document not in best or anchor.fit > best[found.document].fit:
                best[found.document] = anchor
    return sorted(best.values(), key=lambda anchor: (-anchor.fit, anchor.step, anchor.document))


def _next_local(inputs: OrchestrateInputs, searches: list[HopView], promising: float) -> tuple[Anchor, Rung] | None:
    """Return the best anchor whose neighbours have an untried rung, and that rung."""
    tried = [hop for hop in searches if hop.document_mode == "neighbors"]
    spent = {document: 0 for hop in tried for document in hop.anchors}
    for hop in tried:
        for document in hop.anchors:
            spent[document] += 1
    ladder = _offered(LOCAL_LADDER, inputs)
    for anchor in _anchors(inputs, searches, promising):
        used = spent.get(anchor.document, 0)
        if used >= len(ladder) or (used == 0 and len(spent) >= ANCHORS_TRIED):
            continue
        return anchor, ladder[used]
    return None


def _next_lead(inputs: OrchestrateInputs, searches: list[HopView]) -> Lead | None:
    """Return the first new name of the best component whose links led nowhere.

    Links are more reliable, so a name is looked up only after a hop from its document failed. Without backtracking only
    results of the last hop count.
    """
    if not searches or searches[-1].outcome == "success" or not inputs.allowed.global_hop:
        return None
    if sum(_is_lead(hop) for hop in searches) >= LEADS_PURSUED:
        return None
    considered = searches if inputs.allowed.backtracking else searches[-1:]
    spent = {document for hop in searches if hop.outcome != "success" and _by_links(hop) for document in hop.anchors}
    near = [
        (hop, found)
        for hop in considered
        for found in hop.found
        if found.coverage >= LEADS_ON and found.document in spent and found.names
    ]
    for hop, found in sorted(near, key=lambda pair: (-_fit(pair[1]), pair[0].step, pair[1].id)):
        reached = {document.id for document in hop.documents}
        for name in found.names:
            if found.document in reached and not any(name in search.subquery for search in searches):
                return Lead(Anchor(hop.step, found.document, found.title, _fit(found)), name)
    return None


def _by_links(hop: HopView) -> bool:
    """Whether authors' links led to documents of the hop; without links, looking up names finds noise."""
    return not hop.edges or not hop.edges.keys().isdisjoint(("link", "reference"))


def _fit(found: FoundView) -> float:
    return found.coverage + 0.5 * found.similarity


def _is_lead(hop: HopView) -> bool:
    return bool(hop.anchors) and hop.document_mode != "neighbors"


def _next_global(inputs: OrchestrateInputs, searches: list[HopView], subtask: str) -> Rung | None:
    """Return the lowest rung not yet tried for this subtask."""
    if searches and not inputs.allowed.global_hop:
        return None
    tried = {
        (hop.document_mode, hop.component_mode, hop.granularity)
        for hop in searches
        if hop.document_mode != "neighbors"
        and not _is_lead(hop)
        and content_terms(hop.subquery) == content_terms(subtask)
    }
    return next((rung for rung in _offered(GLOBAL_LADDER, inputs) if tuple(rung) not in tried), None)


def _offered(ladder: tuple[Rung, ...], inputs: OrchestrateInputs) -> list[Rung]:
    """Return the ladder without disabled features; equal rungs are merged."""
    rungs = [
        Rung(
            "vector search" if rung.documents == "llm reasoning" and not inputs.allowed.reasoning else rung.documents,
            rung.components if inputs.allowed.reasoning else "vector search",
            rung.granularity if inputs.allowed.granularity else "document",
        )
        for rung in ladder
    ]
    return list(dict.fromkeys(rungs))


def _neighbourhood_failed(searches: list[HopView], anchor: Anchor) -> bool:
    """Whether the last neighbourhood failed on every rung and a new anchor is next: search globally first."""
    last = searches[-1]
    return last.document_mode == "neighbors" and last.outcome != "success" and anchor.document not in last.anchors


def _search(target: SubqueryView, subtask: str, rung: Rung, anchor: Anchor | None, why: str) -> Action:
    return Action(
        action="search",
        subquery_id=target.id,
        subtask=subtask,
        document_mode=rung.documents,
        component_mode=rung.components,
        granularity=rung.granularity,
        anchor=anchor.step if anchor else None,
        anchor_documents=[anchor.document] if anchor else [],
        why=why[:600],
    )


def _why_local(searches: list[HopView], anchor: Anchor) -> str:
    last = searches[-1]
    if last.outcome == "success" and anchor.step == last.step:
        return f"{anchor.title!r} fits and links on; its neighbours are the cheapest next step."
    if anchor.document in last.anchors:
        return f"The neighbours of {anchor.title!r} fell short; looking again, finer."
    return f"Back to step {anchor.step}: {anchor.title!r} fits best among what is not spent."


def _why_lead(searches: list[HopView], lead: Lead) -> str:
    back = "" if lead.anchor.step == searches[-1].step else f"Back to step {lead.anchor.step}: "
    return f"{back}{lead.anchor.title!r} names {lead.name!r}; looking it up."


def _why_global(searches: list[HopView], rung: Rung) -> str:
    if not searches:
        return "Nothing is known yet: the cheapest global search first."
    last = searches[-1].reason or searches[-1].outcome
    return f"The last hop fell short ({last}); searching the corpus by {rung.granularity}."
