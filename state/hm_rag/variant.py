"""What HM-RAG's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class HmRagVariant:
    """Differences from the paper that a run can do without.

    Args:
        contest: a better supported answer contests a vote; in the paper sources that agree are always believed.
    """

    contest: bool


HM_RAG = Variants(published=HmRagVariant(contest=False), ours=HmRagVariant(contest=True))
