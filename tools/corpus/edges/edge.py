"""An edge that no author wrote, between rows of a generation."""

from __future__ import annotations

from typing import Literal, NamedTuple

DerivedKind = Literal["reference", "name"]
KINDS: tuple[DerivedKind, ...] = ("reference", "name")
"""As they are numbered on disk; new ones go to the end."""


class Edge(NamedTuple):
    """From a component to a document, and to a component of it where one is meant; rows, in reading order.

    ``cell_row`` is the row of the table that says the anchor; -1 for none, as with ``target``.
    """

    source: int
    document: int
    target: int
    cell_row: int
    kind: DerivedKind
    anchor: str
