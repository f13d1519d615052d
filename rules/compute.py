"""Plan no computation: only models write queries."""

from __future__ import annotations

from backtrail.state.compute_decisions import ComputeInputs, ComputePlan


def plan_no_computation(inputs: ComputeInputs) -> ComputePlan:
    """Return a plan without a computation."""
    return ComputePlan(why="Without a model no query is written.")
