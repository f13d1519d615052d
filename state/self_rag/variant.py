"""What the variants of self-reflective RAG differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class SelfRagVariant:
    """Differences from the loop as it is usually built that a run can do without.

    Args:
        criticised: the second draft is told what was wrong with the first; in the loop as it is usually built it is
            drawn from the same inputs, so at temperature 0 it is the same draft.
        merged: one call grades all documents of a search, and one says of a draft whether it is supported and of use;
            in that loop every document is a call, and so are support and use.
    """

    criticised: bool
    merged: bool


SELF_RAG = Variants(
    published=SelfRagVariant(criticised=False, merged=False), ours=SelfRagVariant(criticised=True, merged=True)
)
