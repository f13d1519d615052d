"""What IRCoT's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class IrcotVariant:
    """Differences from the paper that a run can do without.

    Args:
        search_words: a retrieval searches by vectors and BM25; FiF's paper compares with one by vectors.
        keep_late: with a model, the best of the last retrieval are among what is read, what is read are the sentences
            and rows that fit, and the chain goes to whoever answers.
        one_place: what says the same takes one place in the ranking; in the paper each has its own.
    """

    search_words: bool
    keep_late: bool
    deduplicate_components: bool


IRCOT = Variants(
    published=IrcotVariant(search_words=False, keep_late=False, deduplicate_components=False),
    ours=IrcotVariant(search_words=True, keep_late=True, deduplicate_components=True),
)
