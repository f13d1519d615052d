"""A derived edge, which no author wrote, between rows of a generation."""

from __future__ import annotations

from typing import Literal, NamedTuple

DerivedKind = Literal["reference", "name"]
KINDS: tuple[DerivedKind, ...] = ("reference", "name")
"""Indices are stored on disk: append new kinds."""


class Edge(NamedTuple):
    """An edge from a component to a document, or to a component of it; all are rows in reading order.

    ``cell_row`` is the table row of the anchor; -1 for none, as for ``target``.
    """

    source: int
    document: int
    target: int
    cell_row: int
    kind: DerivedKind
    anchor: str
