"""What the variants of OmniSearch differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class OmniSearchVariant:
    """Differences from the authors' code that a run can do without.

    Args:
        own_knowledge: the planner may end without a search, and the reader may add what it knows; the authors' prompt
            forbids both.
    """

    own_knowledge: bool


OMNISEARCH = Variants(published=OmniSearchVariant(own_knowledge=False), ours=OmniSearchVariant(own_knowledge=True))
