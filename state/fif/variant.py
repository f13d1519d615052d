"""Differences between FiF's variants."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class FifVariant:
    """Deviations from the paper, enabled in ``ours``.

    Args:
        search_words: hybrid search over documents and components at every layer; the paper uses dense search alone.
        fused: rules open the search, and then one decision judges each hop and proposes the next one or the answer;
            the paper calls a planner, an orchestrator, selectors, an evaluator, a reranker and a reader.
        path_coverage: a local hop ranks neighbours by the path that leads to them too; the paper by vectors alone.
        mentions: a global hop for a name that its anchor mentions follows the mention like a link; the paper searches
            the summaries of all documents.
        deduplicate_components: components with the same content share one place in the ranking; the paper ranks each.
    """

    search_words: bool
    fused: bool
    path_coverage: bool
    mentions: bool
    deduplicate_components: bool


FIF = Variants(
    published=FifVariant(
        search_words=False, fused=False, path_coverage=False, mentions=False, deduplicate_components=False
    ),
    ours=FifVariant(search_words=True, fused=True, path_coverage=True, mentions=True, deduplicate_components=True),
)
