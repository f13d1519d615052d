"""Application of a fused decision to the memory: subqueries, marks and the next proposal."""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.state.fif.fused_decisions import Advance, Finding, NextAction
from backtrail.state.fif.memory import Proposal
from backtrail.state.fif.strategy_wording import modes
from backtrail.state.hop import Strategy
from backtrail.state.subquery import Subquery


def proposed(action: NextAction | None, why: str) -> Proposal:
    """Return the next action as a proposal; without one, a stop."""
    search = action if action and action.kind == "search" else None
    strategy: Strategy = {"scope": "global", "granularity": "component", "reasoning": "none"}
    if search is not None:
        strategy = {"scope": search.scope, "granularity": search.granularity, "reasoning": search.reasoning}
    documents, components = modes(strategy)
    proposal: Proposal = {
        "action": "search" if search else "stop",
        "subquery_id": search.subquery_id if search else None,
        "subtask": action.subtask if action else "",
        "document_mode": documents,
        "component_mode": components,
        "anchor": None,
        "anchor_documents": search.targets if search else [],
        "granularity": strategy["granularity"],
        "why": why,
        "strategy": strategy,
    }
    match action:
        case NextAction(kind="compute", targets=tables):
            return {**proposal, "action": "compute", "tables": tables}
        case NextAction(kind="summarise", targets=targets):
            return {**proposal, "action": "summarise", "summarise": ", ".join(targets)}
        case NextAction(kind="rest" | "before" | "documents" | "phrase" as kind, targets=[target, *_], number=number):
            return {**proposal, "action": "gather", "gather": {"kind": kind, "target": target, "after": number}}
        case _:
            return proposal


def with_sources(decided: Advance, computed: Mapping[str, list[str]]) -> Advance:
    """Return the decision with tables in place of computations that it marks or that settle a subquery.

    Args:
        computed: the tables of each computation, by the id that it is cited by.
    """
    relevant = [table for one in decided.relevant for table in computed.get(one, [one])]
    findings = [
        one.model_copy(update={"component": computed[one.component][0]})
        if one.component and computed.get(one.component)
        else one
        for one in decided.findings
    ]
    return decided.model_copy(update={"relevant": relevant, "findings": findings})


def with_marks(marked: list[str], decided: Advance, computed: Mapping[str, list[str]]) -> list[str]:
    """Return the marked components, most important first, then cited ones, then earlier marks."""
    pieces = decided.answer.citations if decided.answer else []
    cited = [table for piece in pieces for table in computed.get(piece.component, [piece.component])]
    return list(dict.fromkeys([*decided.relevant, *cited, *marked]))


def resolved_subqueries(
    subqueries: list[Subquery], question: str, decided: Advance, complete: bool, step: int
) -> list[Subquery]:
    """Return changed and new subqueries. The question itself is open until its answer is complete."""
    findings = {finding.subquery_id: finding for finding in decided.findings}
    changed = [_found(subquery, findings[subquery["id"]]) for subquery in subqueries if subquery["id"] in findings]
    for subquery in subqueries:
        if subquery["text"] == question:
            answer = (decided.answer.short or decided.answer.text)[:400] if complete and decided.answer else ""
            changed.append({**subquery, "status": "answered" if complete else "open", "answer": answer})
    known = {subquery["id"] for subquery in subqueries} | {f"q{len(subqueries) + n}" for n in range(8)}
    known_texts = {subquery["text"].casefold() for subquery in subqueries}
    texts = [one for one in decided.new_subqueries if one.text.casefold() not in known_texts] if not complete else []
    return changed + [
        {
            "id": f"q{len(subqueries) + number}",
            "text": one.text,
            "depends_on": [other for other in one.depends_on if other in known],
            "status": "open",
            "answer": "",
            "answered_by": None,
            "planned_at": step,
        }
        for number, one in enumerate(texts)
    ]


def _found(subquery: Subquery, finding: Finding) -> Subquery:
    """Update a subquery by a finding. An empty answer keeps the earlier one."""
    answer = finding.answer.strip() or subquery["answer"]
    return {
        **subquery,
        "status": "answered" if answer else subquery["status"],
        "answer": answer,
        "answered_by": finding.component or subquery["answered_by"],
        "candidates": finding.candidates,
        "unverified": finding.unverified,
        "false_premise": finding.false_premise,
    }
