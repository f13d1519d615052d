"""Differences between LILaC's variants."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class LilacVariant:
    """Deviations from the paper, enabled in ``ours``.

    Args:
        search_words: seeds come from hybrid search, and edges are also scored by coverage and section, for the whole
            question besides its subqueries; the paper uses vectors and subqueries alone.
        deduplicate_components: components with the same content share one place in the ranking; the paper ranks each.
    """

    search_words: bool
    deduplicate_components: bool


LILAC = Variants(
    published=LilacVariant(search_words=False, deduplicate_components=False),
    ours=LilacVariant(search_words=True, deduplicate_components=True),
)
