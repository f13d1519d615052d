"""What LILaC's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class LilacVariant:
    """Differences from the paper that a run can do without.

    Args:
        search_words: its seeds are found by vectors and BM25, and edges are matched by coverage and section too, with
            the whole question beside its subqueries; the paper has vectors and subqueries alone.
        one_place: what says the same takes one place in the ranking; in the paper each has its own.
    """

    search_words: bool
    deduplicate_components: bool


LILAC = Variants(
    published=LilacVariant(search_words=False, deduplicate_components=False),
    ours=LilacVariant(search_words=True, deduplicate_components=True),
)
