"""Add human approval before the nodes that choose the next action.

Nodes that run side by side ask nothing: several questions at once could not be answered in plain words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from backtrail.nodes.human_approval import consulted_on_plan, consulted_on_spending, within_consent
from backtrail.nodes.take_decision import settings_of
from backtrail.state.subquery import Subquery, merge_subqueries

AFTER_A_PLAN = frozenset(("orchestrate", "advance", "assign", "seed"))
BEFORE_SPENDING = frozenset(
    ("orchestrate", "advance", "begin_round", "plan_next", "expand", "think", "rewrite_query", "think_search", "assign")
)


def consulted(name: str, state: Any, runtime: Runtime[Any]) -> tuple[Any, dict[str, Any], Runtime[Any]]:
    """The state and the runtime that a node goes on with once people have decided, and what that writes.

    Raises:
        GraphInterrupt: somebody is asked; the run waits.
    """
    if not isinstance(state, Mapping):
        return state, {}, runtime
    held, settings = cast("Mapping[str, Any]", state), settings_of(runtime)
    decided: dict[str, Any] = {}
    if name in AFTER_A_PLAN:
        decided = consulted_on_plan(held, settings)
    if name in BEFORE_SPENDING and (allowed := consulted_on_spending(held, settings)):
        decided = {**decided, "consents": [*decided.get("consents", []), *allowed["consents"]]}
    if decided:
        held = {**held, **_applied(held, decided)}
    permitted = within_consent(held, settings)
    return held, decided, runtime if permitted is settings else runtime.override(context=permitted)


def _applied(held: Mapping[str, Any], decided: Mapping[str, Any]) -> dict[str, Any]:
    subqueries: list[Subquery] = merge_subqueries(held.get("subqueries") or [], decided.get("subqueries", []))
    return {"subqueries": subqueries, "consents": [*(held.get("consents") or []), *decided["consents"]]}


def with_decided(decided: Mapping[str, Any], writes: Any) -> Any:
    """A node's writes, with what people decided; of a part that both name the node has the last word."""
    if not decided or not isinstance(writes, Mapping):
        return writes
    own = cast("Mapping[str, Any]", writes)
    parts: Any = own.get("subqueries", [])
    if isinstance(parts, Overwrite):
        return {**decided, **own}
    return {**decided, **own, "subqueries": [*decided.get("subqueries", []), *parts]}
