"""Check the invariants of a stored knowledge graph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sqlalchemy import Connection, Table, func, select

from backtrail.tools.corpus.generation import Layer
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.corpus.tables.schema import components, entities, extractions, provenance, relations, statements
from backtrail.tools.knowledge.generation import open_layers
from backtrail.tools.knowledge.tables import GRAPH_TABLES


def check_knowledge(connection: Connection, folder: Path, meta: Meta) -> Iterator[str]:
    """Yield a description of each violated invariant of a corpus's graph.

    Relations have both entities, every row has sources, and every searched row has a vector.
    """
    yield from _dangling(connection)
    try:
        layers = open_layers(folder, meta.generation)
    except (OSError, ValueError) as error:
        yield f"the vectors of the knowledge graph cannot be read: {error}"
        return
    for table in GRAPH_TABLES:
        yield from _vectors(connection, table, getattr(layers, table.name))


def _dangling(connection: Connection) -> Iterator[str]:
    def count(table: Table, wrong: object) -> int:
        return connection.execute(select(func.count()).select_from(table).where(wrong)).scalar_one()  # type: ignore[arg-type]

    ids = select(entities.c.id)
    if found := count(relations, relations.c.head.not_in(ids) | relations.c.tail.not_in(ids)):
        yield f"{found} relations lack an end"
    owners = select(provenance.c.owner)
    for table in (entities, relations):
        if found := count(table, table.c.key.not_in(owners)):
            yield f"{found} {table.name} have no source"
    sources = select(components.c.id)
    for table in (provenance, statements):
        if found := count(table, table.c.component.not_in(sources)):
            yield f"{found} rows of {table.name} name components that are gone"
    if found := count(extractions, extractions.c.component_key.not_in(select(components.c.key))):
        yield f"{found} parts were read of components that are gone"


def _vectors(connection: Connection, table: Table, layer: Layer) -> Iterator[str]:
    searched = select(table.c.key).where(table.c.text_hash.is_not(None)).order_by(table.c.key)
    keys = np.fromiter(connection.execute(searched).scalars(), np.int64)
    if not np.array_equal(keys, layer.keys):
        yield f"the index has {len(layer)} {table.name}, not the {len(keys)} that are stored"
        return
    norms = np.linalg.norm(layer.vectors[:], axis=1)
    if bad := int(np.count_nonzero(~(np.abs(norms - 1) < 1e-3))):
        yield f"{bad} vectors of {table.name} are not of length 1"
