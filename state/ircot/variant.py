"""What IRCoT's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class IrcotVariant:
    """Differences from the paper that a run can do without.

    Args:
        search_words: a retrieval searches by vectors and BM25; FiF's paper compares with one by vectors.
    """

    search_words: bool


IRCOT = Variants(published=IrcotVariant(search_words=False), ours=IrcotVariant(search_words=True))
