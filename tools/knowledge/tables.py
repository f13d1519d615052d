"""The rows of the merged graph: stored as the difference to what is there.

A key is a hash of everything in its row and of its provenance, so that rows with the same key are the same.
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
    """Make the tables hold exactly this graph and these statements."""
    values = {entity.id for entity in graph.entities if entity.kind == VALUE}
    _replace(connection, entities, ((_entity_row(entity, described), entity.components) for entity in graph.entities))
    _replace(
        connection,
        relations,
        ((_relation_row(relation, values, described), relation.components) for relation in graph.relations),
    )
    _replace(connection, statements, ((row, ()) for row in said))


def alike_of(name: str) -> str:
    """By what an entity is looked up: what its names have in common, cut to what an index takes."""
    return alike(exact(name))[:200]


def relation_name(relation: MergedRelation, names: dict[str, str]) -> str:
    """ "head, relation, tail" in words."""
    return f"{names[relation.head]}, {relation.relation}, {names[relation.tail]}"


def graph_digest(connection: Connection) -> str:
    """A hash of the whole graph, the same in whatever order it came to be."""
    total = sum(key for table in GRAPH_TABLES for key in connection.execute(select(table.c.key)).scalars())
    return f"knowledge:{total % 2**64:016x}"


def _entity_row(entity: MergedEntity, described: Descriptions) -> Row:
    description = described.of(entity.id, entity.texts)
    # As pieces of components are searched by: a description that is the sentence of a piece shares its vector.
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
    said = description.searched.casefold()
    themes = ", ".join(word for word in relation.keywords if word not in said)
    search_text = f"{description.searched} ({themes})" if themes else description.searched
    # Neither that a name occurs nor a single figure is a theme to be found by: these are reached from their ends.
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
    """Remove rows whose keys are gone, insert those whose keys are new, each with its provenance."""
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
        owned = [{"owner": row["key"], "component": component} for row, held in batch for component in held]
        if owned:
            connection.execute(insert(provenance), owned)


def _key(row: Row, components: Sequence[str]) -> int:
    """63 bits: enough that two of many million rows hardly ever meet, and an integer key everywhere."""
    parts = [value for value in row.values() if not isinstance(value, bytes)]
    text = json.dumps([parts, list(components)], ensure_ascii=False, separators=(",", ":"))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) >> 1
