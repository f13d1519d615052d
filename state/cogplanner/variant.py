"""Differences between CogPlanner's variants."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class CogPlannerVariant:
    """Deviations from the paper, enabled in ``ours``.

    Args:
        one_plan: in the sequential paradigm, if planner and reader are one model, one decision chooses the search,
            writes its queries, and answers if no search is needed; in the paper each is a call.
    """

    one_plan: bool


COGPLANNER = Variants(published=CogPlannerVariant(one_plan=False), ours=CogPlannerVariant(one_plan=True))
