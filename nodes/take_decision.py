"""Decisions in nodes: charges their usage, and records failures instead of raising them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from backtrail.state.budget import allowance, ceiling_of, may_spend
from backtrail.state.decision import Decision
from backtrail.state.failure import Failure
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.deciders.protocol import BudgetExhausted, DecisionFailed, PictureAttachment
from backtrail.tools.errors import ModelRefused
from backtrail.tools.toolbox import Toolbox

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)

MESSAGE_CHARACTERS = 500


@dataclass(frozen=True)
class Taken(Generic[O]):
    """Output and charge of a decision; after a recorded failure there is no output, unless rules took it."""

    output: O | None
    usage: dict[str, Charge]
    failures: list[Failure]


def settings_of(runtime: Runtime[Any]) -> Settings:
    """Return the run's settings; invoke() without a context passes None."""
    return runtime.context if isinstance(runtime.context, Settings) else Settings()


async def take(
    toolbox: Toolbox,
    settings: Settings,
    decision: Decision[I, O],
    inputs: I,
    *,
    node: str,
    step: int,
    spent: dict[str, Charge],
    pictures: Sequence[PictureAttachment] = (),
    by_rules: bool = False,
) -> Taken[O]:
    """Take a decision for a node at a step; ``by_rules`` takes it without a model.

    Once a ceiling is reached, no model is called any more: rules take the remaining decisions up to the best answer so
    far. Within the decision every call is checked against what ``spent`` leaves of the budget (see ``allowance`` for
    siblings of a fan-out); if the next one does not fit, that is recorded, the rules take this decision, and the
    ceiling counts as reached. An unusable reply or a refusal is a recorded failure.

    Raises:
        ModelUnavailable, ModelRejected: the model cannot be used at all; the run stays resumable.
    """
    affordable = not by_rules and may_spend(spent, settings.budget)
    decider = toolbox.decider(decision.role, settings) if affordable else toolbox.rules
    at = f"{node}@{step}"
    try:
        decided = await decider.decide(decision, inputs, pictures, allowance=allowance(spent, settings.budget))
    except BudgetExhausted as error:
        failure = _failure(error, node, step)
        output = await _by_rules(toolbox, decision, inputs, failure)
        return Taken(output, {at: _refused(error, settings.budget)}, [failure])
    except (DecisionFailed, ModelRefused) as error:
        return Taken(None, {at: error.charge or charge()}, [_failure(error, node, step)])
    spent_here: Charge = {**decided.charge, "notes": list(decided.notes)} if decided.notes else decided.charge
    return Taken(decided.output, {at: spent_here}, [])


async def _by_rules(toolbox: Toolbox, decision: Decision[I, O], inputs: I, failure: Failure) -> O | None:
    """Return the rules' output; without one, extend the failure and return None."""
    try:
        return (await toolbox.rules.decide(decision, inputs)).output
    except DecisionFailed as error:
        failure["message"] = f"{failure['message']} {error}"[:MESSAGE_CHARACTERS]
        return None


def _refused(error: BudgetExhausted, budget: Budget) -> Charge:
    """Return the charge before the refused call, with the ceiling it did not fit under."""
    ceiling = ceiling_of(budget, error.ceiling)
    return {**error.charge, "refused": {error.ceiling: ceiling}} if ceiling is not None else error.charge


def _failure(error: Exception, node: str, step: int) -> Failure:
    return {
        "id": f"{node}@{step}",
        "node": node,
        "step": step,
        "error": type(error).__name__,
        "message": str(error)[:MESSAGE_CHARACTERS],
    }
