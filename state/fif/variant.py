"""What FiF's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class FifVariant:
    """Differences from the paper that a run can do without.

    Args:
        fuse_words: documents of global hops that rerank are those that vectors or BM25 find; the paper has
            vectors alone.
    """

    fuse_words: bool


FIF = Variants(published=FifVariant(fuse_words=False), ours=FifVariant(fuse_words=True))
