"""What FiF's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class FifVariant:
    """Differences from the paper that a run can do without.

    Args:
        search_words: documents and components are those that vectors or BM25 find, at every layer; the paper
            has vectors alone.
        fused: rules open the search, and then one decision judges each hop and proposes the next one or the answer;
            the paper asks a planner, an orchestrator, selectors, an evaluator, a reranker and a reader.
        mentions: a global hop that pursues a name its anchor mentions reads the mention like a link; the paper searches
            the summaries of all documents.
        one_place: found components that say the same take one place in the ranking; the paper ranks each.
    """

    search_words: bool
    fused: bool
    mentions: bool
    deduplicate_components: bool


FIF = Variants(
    published=FifVariant(search_words=False, fused=False, mentions=False, deduplicate_components=False),
    ours=FifVariant(search_words=True, fused=True, mentions=True, deduplicate_components=True),
)
