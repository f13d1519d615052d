"""Apply a fused decision to the memory: plan, marks and next proposal."""

from __future__ import annotations

from backtrail.state.fif.fused_decisions import Advance, Finding, Search
from backtrail.state.fif.memory import Proposal
from backtrail.state.fif.strategy_wording import modes
from backtrail.state.hop import Strategy
from backtrail.state.subquery import Subquery


def proposed(search: Search | None, why: str) -> Proposal:
    """The search as a proposal, or the stop."""
    strategy: Strategy = {"scope": "global", "granularity": "component", "reasoning": "none"}
    if search is not None:
        strategy = {"scope": search.scope, "granularity": search.granularity, "reasoning": search.reasoning}
    documents, components = modes(strategy)
    return {
        "action": "search" if search else "stop",
        "subquery_id": search.subquery_id if search else None,
        "subtask": search.subtask if search else "",
        "document_mode": documents,
        "component_mode": components,
        "anchor": None,
        "anchor_documents": search.from_documents if search else [],
        "granularity": strategy["granularity"],
        "why": why,
        "strategy": strategy,
    }


def with_marks(marked: list[str], decided: Advance) -> list[str]:
    """What matters now, the most important first, then what was cited and what was marked before."""
    cited = [piece.component for piece in decided.answer.citations] if decided.answer else []
    return list(dict.fromkeys([*decided.relevant, *cited, *marked]))


def resolved_subqueries(
    subqueries: list[Subquery], question: str, decided: Advance, complete: bool, step: int
) -> list[Subquery]:
    """Subqueries that changed, and new ones. The question itself is open until its answer is complete."""
    findings = {finding.subquery_id: finding for finding in decided.findings}
    changed = [_found(subquery, findings[subquery["id"]]) for subquery in subqueries if subquery["id"] in findings]
    for subquery in subqueries:
        if subquery["text"] == question:
            answer = (decided.answer.short or decided.answer.text)[:400] if complete and decided.answer else ""
            changed.append({**subquery, "status": "answered" if complete else "open", "answer": answer})
    known = {subquery["id"] for subquery in subqueries} | {f"q{len(subqueries) + n}" for n in range(8)}
    asked = {subquery["text"].casefold() for subquery in subqueries}
    texts = [one for one in decided.new_subqueries if one.text.casefold() not in asked] if not complete else []
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
    """A subquery with what is known of it now. An empty answer leaves an earlier one as it is."""
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
