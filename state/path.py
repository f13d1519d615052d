"""Paths: how a component was reached from another over the component graph."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

EdgeKind = Literal["link", "reference", "name", "hierarchy"]
"""What joins two documents: a link of the author, a file, title or number that the text refers to, a rare name that
both say, their place in a site or folder."""


class Path(TypedDict):
    """How a neighbouring document was reached: the linking component, its row (tables) and anchor text.

    A mention (a name without a link) is read with its whole paragraph: what it says of the name seldom
    stands in the one sentence that says it. Of hierarchy nothing is read but where the neighbour stands.
    """

    parent: str
    row: int | None
    anchor: str
    mention: NotRequired[bool]
    kind: NotRequired[EdgeKind]
    """A link of the author where it is not said."""
