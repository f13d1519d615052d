"""Differences between the VQA planner's variants."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class VqaPlannerVariant:
    """Deviations from the paper, enabled in ``ours``.

    Args:
        one_call: if planner and reader are one model, one call chooses the path and answers (c1) or writes the query of
            a
            text search (c2); in the paper a small planner chooses, and the model is called again.
    """

    one_call: bool


VQA_PLANNER = Variants(published=VqaPlannerVariant(one_call=False), ours=VqaPlannerVariant(one_call=True))
