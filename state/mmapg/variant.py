"""What MMAPG's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class MmapgVariant:
    """Differences from the paper that a run can do without.

    Args:
        links: retrievals may follow the links of their parents' sources; the paper's knowledge bases have none.
    """

    links: bool


MMAPG = Variants(published=MmapgVariant(links=False), ours=MmapgVariant(links=True))
