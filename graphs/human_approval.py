"""Human approval before the nodes that choose the next action.

Nodes that run in parallel ask nothing: plain words could not answer several questions at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from backtrail.nodes.human_approval import ask_about_plan, ask_about_spending, within_approval
from backtrail.nodes.take_decision import settings_of
from backtrail.state.subquery import Subquery, merge_subqueries

AFTER_A_PLAN = frozenset(("orchestrate", "advance", "assign", "seed"))
BEFORE_SPENDING = frozenset(
    ("orchestrate", "advance", "begin_round", "plan_next", "expand", "think", "rewrite_query", "think_search", "assign")
)


def ask_people(name: str, state: Any, runtime: Runtime[Any]) -> tuple[Any, dict[str, Any], Runtime[Any]]:
    """Ask people where needed; return the node's state, their decisions as writes, and the runtime.

    Raises:
        GraphInterrupt: a person is asked; the run waits.
    """
    if not isinstance(state, Mapping):
        return state, {}, runtime
    values, settings = cast("Mapping[str, Any]", state), settings_of(runtime)
    decided: dict[str, Any] = {}
    if name in AFTER_A_PLAN:
        decided = ask_about_plan(values, settings)
    if name in BEFORE_SPENDING and (allowed := ask_about_spending(values, settings)):
        decided = {**decided, "approvals": [*decided.get("approvals", []), *allowed["approvals"]]}
    if decided:
        values = {**values, **_applied(values, decided)}
    permitted = within_approval(values, settings)
    return values, decided, runtime if permitted is settings else runtime.override(context=permitted)


def _applied(values: Mapping[str, Any], decided: Mapping[str, Any]) -> dict[str, Any]:
    subqueries: list[Subquery] = merge_subqueries(values.get("subqueries") or [], decided.get("subqueries", []))
    return {"subqueries": subqueries, "approvals": [*(values.get("approvals") or []), *decided["approvals"]]}


def with_decisions(decided: Mapping[str, Any], writes: Any) -> Any:
    """Join a node's writes with people's decisions; where both write a subquery, the node's comes last."""
    if not decided or not isinstance(writes, Mapping):
        return writes
    own = cast("Mapping[str, Any]", writes)
    parts: Any = own.get("subqueries", [])
    if isinstance(parts, Overwrite):
        return {**decided, **own}
    return {**decided, **own, "subqueries": [*decided.get("subqueries", []), *parts]}
