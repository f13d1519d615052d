"""Differences between Self-RAG's variants."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class SelfRagVariant:
    """Deviations from the usual loop, enabled in ``ours``.

    Args:
        criticised: the second draft gets the criticism of the first; in the usual loop its inputs are the same, so at
            temperature 0 it is the same draft.
        merged: one call grades all documents of a search, and one judges support and use of a draft; in the usual loop
            every document is a call, and so are support and use.
    """

    criticised: bool
    merged: bool


SELF_RAG = Variants(
    published=SelfRagVariant(criticised=False, merged=False), ours=SelfRagVariant(criticised=True, merged=True)
)
