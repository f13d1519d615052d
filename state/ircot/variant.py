"""Differences between IRCoT's variants."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class IrcotVariant:
    """Deviations from the paper, enabled in ``ours``.

    Args:
        search_words: hybrid search; FiF's paper compares with dense search.
        keep_late: with a model, the best of the last retrieval are always read, of each component the sentences and
            rows
            that fit, and the reader gets the chain.
        deduplicate_components: components with the same content share one place in the ranking; the paper ranks each.
    """

    search_words: bool
    keep_late: bool
    deduplicate_components: bool


IRCOT = Variants(
    published=IrcotVariant(search_words=False, keep_late=False, deduplicate_components=False),
    ours=IrcotVariant(search_words=True, keep_late=True, deduplicate_components=True),
)
