"""What CogPlanner's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class CogPlannerVariant:
    """Differences from the paper that a run can do without.

    Args:
        one_plan: in the sequential paradigm, if planner and reader are one model, one decision chooses the search,
            writes its queries, and answers where nothing has to be searched; in the paper each is a call.
    """

    one_plan: bool


COGPLANNER = Variants(published=CogPlannerVariant(one_plan=False), ours=CogPlannerVariant(one_plan=True))
