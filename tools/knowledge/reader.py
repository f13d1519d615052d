"""Reader of a corpus's knowledge graph: rows from SQL, searches over one generation's vectors."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, RowMapping, Table, collate, func, or_, select

from backtrail.rules.knowledge.entity_names import exact
from backtrail.state.hop import Scored
from backtrail.tools.arrays.vector_rows import Rows
from backtrail.tools.corpus.generation import Layer
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.search.exact import best
from backtrail.tools.corpus.tables.database import chunks
from backtrail.tools.corpus.tables.schema import entities, provenance, relations, statements
from backtrail.tools.knowledge.extractions import count_components
from backtrail.tools.knowledge.generation import KnowledgeLayers
from backtrail.tools.knowledge.protocol import Entity, Relation, Statement, Triplet
from backtrail.tools.knowledge.tables import alike_of
from backtrail.tools.vector_stores.index import VectorIndex

_BLOCK = 65_536  # rows scored at once


class StoredKnowledge:
    """The graph of one generation of a corpus, opened for reading. Implements ``KnowledgeReader``."""

    def __init__(self, name: str, engine: Engine, layers: KnowledgeLayers, index: VectorIndex) -> None:
        self.name = name
        self._engine = engine
        self._layers = layers
        self._index = index

    def counts(self) -> dict[str, int]:
        """Count entities, relations, triplets and statements, and components read, failed and pending."""
        with self._engine.connect() as connection:
            triplets = select(func.count()).select_from(statements).where(statements.c.kind == "triplet")
            return {
                "entities": _count(connection, entities),
                "relations": _count(connection, relations),
                "triplets": connection.execute(triplets).scalar_one(),
                "statements": len(self._layers.statements),
                **count_components(connection),
            }

    def entities(self, ids: Collection[str]) -> dict[str, Entity]:
        """Entities by id, in the order of ``ids``."""
        with self._engine.connect() as connection:
            rows = _by_id(connection, entities, ids)
            sources = _provenance(connection, [row["key"] for row in rows.values()])
        return {id_: _entity(rows[id_], sources[rows[id_]["key"]]) for id_ in ids if id_ in rows}

    def relations(self, ids: Collection[str]) -> dict[str, Relation]:
        """Relations by id, in the order of ``ids``."""
        with self._engine.connect() as connection:
            rows = _by_id(connection, relations, ids)
            sources = _provenance(connection, [row["key"] for row in rows.values()])
        return {id_: _relation(rows[id_], sources[rows[id_]["key"]]) for id_ in ids if id_ in rows}

    def named(self, names: Collection[str]) -> dict[str, str]:
        """Return the ids of the entities of names, ignoring case, article, plural and a unique qualifier.

        Unknown and ambiguous names are left out.
        """
        wanted = {name: alike_of(name) for name in names}
        with self._engine.connect() as connection:
            rows = _alike(connection, sorted(set(wanted.values())))
            for likes in [likes for likes in wanted.values() if likes not in rows]:
                rows[likes] = _qualified(connection, likes)
        found: dict[str, str] = {}
        for name, likes in wanted.items():
            same = [row.id for row in rows[likes] if exact(row.name) == exact(name)] or [row.id for row in rows[likes]]
            if len(same) == 1:
                found[name] = same[0]
        return found

    def search_entities(self, query: Vectors, limit: int, at_least: float = -1.0) -> list[Scored]:
        """Entities nearest to any of the query vectors [n, dimension]; plain values are not searched."""
        return self._search(self._layers.entities, query, limit, at_least)

    def search_relations(self, query: Vectors, limit: int, at_least: float = -1.0) -> list[Scored]:
        """Relations nearest to any of the query vectors; not those to plain values, nor passing mentions."""
        return self._search(self._layers.relations, query, limit, at_least)

    def relations_of(self, entities: Collection[str]) -> dict[str, list[Relation]]:
        """Return each entity's relations, highest weight first, ties by id; no entry for unknown entities."""
        rows: dict[str, RowMapping] = {}
        with self._engine.connect() as connection:
            for some in chunks(list(entities), 400):
                touching = or_(relations.c.head.in_(some), relations.c.tail.in_(some))
                for row in connection.execute(select(relations).where(touching)).mappings():
                    rows[row["id"]] = row
            sources = _provenance(connection, [row["key"] for row in rows.values()])
            known = _by_id(connection, _entity_table, entities)
        touched: dict[str, list[Relation]] = {id_: [] for id_ in entities if id_ in known}
        for row in sorted(rows.values(), key=lambda row: (-row["weight"], row["id"])):
            relation = _relation(row, sources[row["key"]])
            for end in (relation.head, relation.tail):
                if end in touched:
                    touched[end].append(relation)
        return touched

    def triplets(self, components: Collection[str]) -> dict[str, list[Triplet]]:
        """Triplets of components, in reading order; no entry for components without any."""
        found: dict[str, list[Triplet]] = {}
        table = statements
        with self._engine.connect() as connection:
            for some in chunks(list(components)):
                wanted = (table.c.component.in_(some)) & (table.c.kind == "triplet")
                for row in connection.execute(select(table).where(wanted).order_by(table.c.ordinal)):
                    triplet = Triplet(row.id, row.component, row.head, row.relation, row.tail, row.text)
                    found.setdefault(row.component, []).append(triplet)
        return {id_: found[id_] for id_ in components if id_ in found}

    def statements(self, ids: Collection[str]) -> dict[str, Statement]:
        """Statements by id, in the order of ``ids``."""
        with self._engine.connect() as connection:
            rows = _by_id(connection, statements, ids)
        return {
            id_: Statement(id_, rows[id_]["component"], rows[id_]["text"], rows[id_]["kind"])
            for id_ in ids
            if id_ in rows
        }

    def search_statements(
        self, query: Vectors, radius: float, limit: int, components: Collection[str] | None = None
    ) -> tuple[list[Scored], bool]:
        """Return the nearest statements within a cosine distance of any query, and whether there were more."""
        layer = self._layers.statements
        if components is None:
            rows = self._proposed("statements", query, max(limit, 0) + 1)
        else:
            rows = self._statements_of(components)
        scores = _nearest_query(layer, rows, query)
        near = np.flatnonzero(scores >= 1.0 - radius - 1e-6)
        ranked = best(layer.ids, near if rows is None else rows[near], scores[near], limit)
        return [Scored(id=id_, score=score) for id_, score in ranked], len(near) > max(limit, 0)

    def _statements_of(self, components: Collection[str]) -> Rows:
        """Return the rows of the statements of components, in order."""
        with self._engine.connect() as connection:
            ids = [
                row.id
                for some in chunks(sorted(components))
                for row in connection.execute(select(statements.c.id).where(statements.c.component.in_(some)))
            ]
        return np.array(sorted(self._layers.statements.ids.find(ids).values()), np.int64)

    def _search(self, layer: Layer, query: Vectors, limit: int, at_least: float) -> list[Scored]:
        rows = self._proposed(layer.name, query, limit)
        scores = _nearest_query(layer, rows, query)
        ranked = best(layer.ids, rows, scores, limit)
        return [Scored(id=id_, score=score) for id_, score in ranked if score >= at_least]

    def _proposed(self, layer: str, query: Vectors, limit: int) -> Rows | None:
        """Return rows that include the best ``limit``; None if all have to be scored."""
        if limit <= 0:
            return None
        found = [self._index.search(layer, vector, max(2 * limit, 16)) for vector in _rows(query)]
        some = [rows for rows in found if rows is not None]
        return np.unique(np.concatenate(some)) if some and len(some) == len(found) else None


_entity_table = entities


def _rows(query: Vectors) -> Vectors:
    """Return query vectors [n, dimension], also for a single one [dimension]."""
    return np.atleast_2d(np.asarray(query, np.float32))


def _nearest_query(layer: Layer, rows: Any, query: Vectors) -> Vectors:
    """Return each row's (None: every row's) highest similarity to a query; blocks keep the products small."""
    queries = _rows(query)
    total = len(layer) if rows is None else len(rows)
    scores = np.full(total, -1.0, np.float32)
    if not len(queries):
        return scores[:0] if rows is not None else np.full(total, -2.0, np.float32)
    for start in range(0, total, _BLOCK):
        block = layer.vectors[start : start + _BLOCK] if rows is None else layer.vectors[rows[start : start + _BLOCK]]
        scores[start : start + _BLOCK] = (block @ queries.T).max(axis=1)
    return scores


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _by_id(connection: Connection, table: Table, ids: Collection[str]) -> dict[str, RowMapping]:
    rows: dict[str, RowMapping] = {}
    for some in chunks(list(ids)):
        rows.update(
            (row["id"], row) for row in connection.execute(select(table).where(table.c.id.in_(some))).mappings()
        )
    return rows


def _alike(connection: Connection, likes: Sequence[str]) -> dict[str, list[Any]]:
    """Return entities (id, name) by their lookup key."""
    found: dict[str, list[Any]] = defaultdict(list)
    table = entities
    for some in chunks(likes):
        for row in connection.execute(select(table.c.id, table.c.name, table.c.alike).where(table.c.alike.in_(some))):
            found[row.alike].append(row)
    return found


def _qualified(connection: Connection, likes: str) -> list[Any]:
    """Return entities with an additional qualifier: "glee (tv series)" for "glee"."""
    table = entities
    # Compare in byte order, so that the index is used; PostgreSQL's default is its locale.
    ordered = collate(table.c.alike, "C") if connection.dialect.name == "postgresql" else table.c.alike
    longer = (ordered > f"{likes} (") & (ordered < f"{likes} )")
    return list(connection.execute(select(table.c.id, table.c.name).where(longer).order_by(table.c.id).limit(2)))


def _provenance(connection: Connection, keys: Sequence[int]) -> dict[int, tuple[str, ...]]:
    found: dict[int, list[str]] = defaultdict(list)
    for some in chunks(keys):
        statement = select(provenance).where(provenance.c.owner.in_(some))
        for row in connection.execute(statement):
            found[row.owner].append(row.component)
    return defaultdict(tuple, {key: tuple(sorted(components)) for key, components in found.items()})


def _entity(row: RowMapping, components: tuple[str, ...]) -> Entity:
    pictures = tuple(json.loads(row["pictures"]))
    return Entity(row["id"], row["name"], row["kind"], row["description"], components, pictures)


def _relation(row: RowMapping, components: tuple[str, ...]) -> Relation:
    return Relation(
        id=row["id"],
        head=row["head"],
        relation=row["relation"],
        tail=row["tail"],
        description=row["description"],
        keywords=tuple(json.loads(row["keywords"])),
        weight=row["weight"],
        components=components,
    )
