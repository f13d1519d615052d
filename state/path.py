"""Paths: how a component was reached from another over the component graph."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


class Path(TypedDict):
    """How a neighbouring document was reached: the linking component, its row (tables) and anchor text.

    A mention (a name without a link) is read with its whole paragraph: what it says of the name seldom
    stands in the one sentence that says it.
    """

    parent: str
    row: int | None
    anchor: str
    mention: NotRequired[bool]
