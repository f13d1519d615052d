"""Count the edges between the documents of a corpus, by kind."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import Connection, func, select

from backtrail.state.path import EdgeKind
from backtrail.tools.corpus.edges.build_edges import COUNTS, EDGES
from backtrail.tools.corpus.tables.schema import components, documents, links


def edge_kinds(connection: Connection, generation: Path | None) -> dict[EdgeKind, int]:
    """Numbers of edges from one document to another, by kind; kinds without any are left out.

    Args:
        generation: folder of the index; None leaves out derived edges.
    """
    return {kind: count for kind, count in _counted(connection, generation).items() if count}


def _counted(connection: Connection, generation: Path | None) -> dict[EdgeKind, int]:
    authored = _links(connection, ("internal",))
    if generation is None:
        return {"link": authored}
    try:
        derived: dict[str, int] = json.loads((generation / EDGES / COUNTS).read_bytes())
    except (OSError, ValueError):  # damaged: the check of the corpus reports it
        derived = {}
    placed = _links(connection, ("parent", "child")) + derived.get("sibling", 0)
    return {
        "link": authored,
        "reference": derived.get("reference", 0),
        "name": derived.get("name", 0),
        "hierarchy": placed,
    }


def _links(connection: Connection, kinds: tuple[str, ...]) -> int:
    """Number of links of these kinds to another document."""
    statement = (
        select(func.count())
        .select_from(links)
        .join(components, links.c.component_key == components.c.key)
        .join(documents, components.c.document_key == documents.c.key)
        .where(links.c.kind.in_(kinds), links.c.target.is_not(None), links.c.target != documents.c.id)
    )
    return connection.execute(statement).scalar_one()
