"""A computation without a model: none. Queries are written by models alone."""

from __future__ import annotations

from backtrail.state.compute_decisions import ComputeInputs, ComputePlan


def plan_no_computation(inputs: ComputeInputs) -> ComputePlan:
    """Return the plan that says so."""
    return ComputePlan(why="Without a model no query is written.")
