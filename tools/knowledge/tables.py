"""Rows of the merged graph; only the difference to the stored rows is written.

A key is a hash of the row's values and provenance, so that rows with the same key are equal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select

from backtrail.rules.knowledge.entity_names import alike, exact
from backtrail.tools.corpus.tables.database import chunks
from backtrail.tools.corpus.tables.records import text_hash
from backtrail.tools.corpus.tables.schema import entities, provenance, relations, statements
from backtrail.tools.knowledge.describe import Descriptions
from backtrail.tools.knowledge.merge import Graph, MergedEntity, MergedRelation
from backtrail.tools.knowledge.protocol import VALUE

Row = dict[str, Any]
_BATCH = 5_000
GRAPH_TABLES = (entities, relations, statements)


def store_graph(connection: Connection, graph: Graph, described: Descriptions, said: Iterable[Row]) -> None:
    """Replace the contents of the tables by this graph and these statements."""
    values = {entity.id for entity in graph.entities if entity.kind == VALUE}
    _replace(connection, entities, ((_entity_row(entity, described), entity.components) for entity in graph.entities))
    _replace(
        connection,
        relations,
        ((_relation_row(relation, values, described), relation.components) for relation in graph.relations),
    )
    _replace(connection, statements, ((row, ()) for row in said))


def alike_of(name: str) -> str:
    """Return the lookup key of an entity's name, cut to a length that an index accepts."""
    return alike(exact(name))[:200]


def relation_name(relation: MergedRelation, names: dict[str, str]) -> str:
    """Return "head, relation, tail" by name."""
    return f"{names[relation.head]}, {relation.relation}, {names[relation.tail]}"


def graph_digest(connection: Connection) -> str:
    """Return a hash of the whole graph, independent of the order of its rows."""
    total = sum(key for table in GRAPH_TABLES for key in connection.execute(select(table.c.key)).scalars())
    return f"knowledge:{total % 2**64:016x}"


def _entity_row(entity: MergedEntity, described: Descriptions) -> Row:
    description = described.of(entity.id, entity.texts)
    # The same form as for subcomponents, so that a description that is a sentence of one shares its vector.
    search_text = f"{entity.name}: {description.searched}" if description.searched else entity.name
    return {
        "id": entity.id,
        "name": entity.name,
        "alike": alike_of(entity.name),
        "kind": entity.kind,
        "description": description.text,
        "pictures": json.dumps(entity.pictures),
        "search_text": search_text,
        "text_hash": None if entity.kind == VALUE else text_hash(search_text),
    }


def _relation_row(relation: MergedRelation, values: Collection[str], described: Descriptions) -> Row:
    description = described.of(relation.id, relation.texts)
    text = description.searched.casefold()
    themes = ", ".join(word for word in relation.keywords if word not in text)
    search_text = f"{description.searched} ({themes})" if themes else description.searched
    # Mere mentions and single figures are not searched: they are reached from their entities.
    searched = not relation.is_passing and relation.tail not in values
    return {
        "id": relation.id,
        "head": relation.head,
        "relation": relation.relation,
        "tail": relation.tail,
        "description": description.text,
        "keywords": json.dumps(relation.keywords, ensure_ascii=False),
        "weight": relation.weight,
        "search_text": search_text,
        "text_hash": text_hash(search_text) if searched else None,
    }


def _replace(connection: Connection, table: Table, rows: Iterable[tuple[Row, Sequence[str]]]) -> None:
    """Remove rows with old keys and insert those with new keys, with their provenance."""
    gone = set(connection.execute(select(table.c.key)).scalars())
    new: list[tuple[Row, Sequence[str]]] = []
    for row, components in rows:
        key = _key(row, components)
        if key in gone:
            gone.remove(key)
        else:
            row["key"] = key
            new.append((row, components))
    for some in chunks(sorted(gone)):
        connection.execute(delete(provenance).where(provenance.c.owner.in_(some)))
        connection.execute(delete(table).where(table.c.key.in_(some)))
    new.sort(key=lambda pair: pair[0]["key"])
    for batch in chunks(new, _BATCH):
        connection.execute(insert(table), [row for row, _ in batch])
        owned = [{"owner": row["key"], "component": one} for row, components in batch for one in components]
        if owned:
            connection.execute(insert(provenance), owned)


def _key(row: Row, components: Sequence[str]) -> int:
    """63 bits: collisions among millions of rows are unlikely, and every database has such integers."""
    parts = [value for value in row.values() if not isinstance(value, bytes)]
    text = json.dumps([parts, list(components)], ensure_ascii=False, separators=(",", ":"))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) >> 1
