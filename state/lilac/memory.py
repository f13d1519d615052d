"""LILaC's memory: the subqueries, and the end nodes of the edges in the beam."""

from __future__ import annotations

from typing import Annotated

from backtrail.state.conversation import MethodOutput
from backtrail.state.hop import Hop, merge_hops
from backtrail.state.memory import Memory
from backtrail.state.subquery import Subquery, merge_subqueries


class LilacState(Memory, total=False):
    """State of a LILaC run. ``frontier`` are the component ids that the next iteration starts from."""

    frontier: list[str]
    hops: Annotated[list[Hop], merge_hops]


class LilacAnswered(MethodOutput, total=False):
    """Output of LILaC: the common output with subqueries and a hop for the seeds and each iteration."""

    subqueries: Annotated[list[Subquery], merge_subqueries]
    hops: Annotated[list[Hop], merge_hops]
