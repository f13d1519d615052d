"""Differences between OmniSearch's variants."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class OmniSearchVariant:
    """Deviations from the authors' code, enabled in ``ours``.

    Args:
        own_knowledge: the planner may end without a search, and the reader may use own knowledge; the authors' prompt
            forbids both.
    """

    own_knowledge: bool


OMNISEARCH = Variants(published=OmniSearchVariant(own_knowledge=False), ours=OmniSearchVariant(own_knowledge=True))
