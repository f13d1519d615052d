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
    """

    search_words: bool


FIF = Variants(published=FifVariant(search_words=False), ours=FifVariant(search_words=True))
