"""Paths: how a component was reached from another in the component graph."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

EdgeKind = Literal["link", "reference", "name", "hierarchy"]
"""Kinds of edges: an author's link; a file, title or number that the text refers to; a shared rare name; the place in a
site or folder."""


class Path(TypedDict):
    """How a neighbouring document was reached: the linking component, its row (tables) and anchor text.

    A mention (a name without a link) is read with its whole paragraph: facts about the name are seldom in the sentence
    that mentions it. Of a hierarchy edge only the neighbour's place is read.
    """

    parent: str
    row: int | None
    anchor: str
    mention: NotRequired[bool]
    kind: NotRequired[EdgeKind]
    """An author's link if absent."""
