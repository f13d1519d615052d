"""What the VQA planner's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class VqaPlannerVariant:
    """Differences from the paper that a run can do without.

    Args:
        one_call: if planner and reader are one model, it chooses the path, and in the same call answers (c1) or
            writes the query of a text search (c2); in the paper a small planner chooses, and the model is called anew.
    """

    one_call: bool


VQA_PLANNER = Variants(published=VqaPlannerVariant(one_call=False), ours=VqaPlannerVariant(one_call=True))
