"""Drawing of links between documents: inline SVG without script and style."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backtrail.server.ui.sources import address_of
from backtrail.tools.corpus.document_links import Linked

WIDTH, HEIGHT, MARGIN = 760, 480, 60
ROUNDS = 150
TITLE = 22
"""Maximum number of characters of a drawn title; the tooltip has all."""


@dataclass(frozen=True)
class Node:
    """Document in the drawing."""

    x: float
    y: float
    size: float
    title: str
    label: str
    address: str
    here: bool = False
    below: bool = False


@dataclass(frozen=True)
class Edge:
    """Links from one document to another."""

    x: float
    y: float
    to_x: float
    to_y: float
    width: float


@dataclass(frozen=True)
class LinkGraph:
    """Nodes and edges for the template."""

    nodes: list[Node]
    edges: list[Edge]
    width: int = WIDTH
    height: int = HEIGHT


def link_graph(corpus: str, linked: Linked, here: str = "") -> LinkGraph:
    """Lay out linked documents, with the current document ``here`` in the middle."""
    places = _places(linked, here)
    degrees = dict.fromkeys(linked.titles, 0)
    for source, target in linked.links:
        degrees[source] += 1
        degrees[target] += 1
    nodes = [
        Node(
            *places[id_], round(4 + 1.6 * math.sqrt(degrees[id_]), 1), title or id_, _short(title or id_),
            address_of(corpus, id_), id_ == here, places[id_][1] > HEIGHT / 2,
        )
        for id_, title in linked.titles.items()
    ]  # fmt: skip
    edges = [
        Edge(*places[source], *places[target], round(min(1 + 0.4 * (count - 1), 3), 1))
        for (source, target), count in linked.links.items()
    ]
    return LinkGraph(nodes, edges)


def _short(title: str) -> str:
    return title if len(title) <= TITLE else f"{title[: TITLE - 1]}…"


def _places(linked: Linked, here: str) -> dict[str, tuple[float, float]]:
    """Compute positions by forces that push all documents apart and pull linked ones together.

    Fruchterman and Reingold 1991, starting from a circle, so that a corpus always gives the same drawing.
    """
    ids = list(linked.titles)
    number = len(ids)
    if number < 2:
        return dict.fromkeys(ids, (WIDTH / 2, HEIGHT / 2))
    at = {id_: place for place, id_ in enumerate(ids)}
    angles = np.linspace(0, 2 * np.pi, number, endpoint=False)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    pull = np.zeros((number, number))
    for source, target in linked.links:
        pull[at[source], at[target]] = pull[at[target], at[source]] = 1.0
    apart = math.sqrt(4.0 / number)
    for round_ in range(ROUNDS):
        points += _moves(points, pull, apart, 0.12 * (1 - round_ / ROUNDS))
        if here in at:
            points[at[here]] = 0.0
    return _scaled(ids, points)


def _moves(points: NDArray[np.float64], pull: NDArray[np.float64], apart: float, most: float) -> NDArray[np.float64]:
    between = points[:, None, :] - points[None, :, :]
    distance = np.maximum(np.linalg.norm(between, axis=2), 1e-3)
    force = apart**2 / distance**2 - pull * distance / apart
    moves = (between * force[:, :, None]).sum(axis=1)
    length = np.maximum(np.linalg.norm(moves, axis=1, keepdims=True), 1e-9)
    return moves / length * np.minimum(length, most)


def _scaled(ids: list[str], points: NDArray[np.float64]) -> dict[str, tuple[float, float]]:
    least, most = points.min(axis=0), points.max(axis=0)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    middle = most - least < 1e-6  # all in one line
    placed = MARGIN + np.where(middle, 0.5, (points - least) / np.maximum(most - least, 1e-6)) * room
    return {id_: (round(float(x), 1), round(float(y), 1)) for id_, (x, y) in zip(ids, placed, strict=True)}


def by_direction(linked: Linked, here: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return titles by id of the documents that one links to, and of those that link to it."""
    onward = {target: linked.titles[target] for source, target in linked.links if source == here}
    back = {source: linked.titles[source] for source, target in linked.links if target == here}
    return onward, back
