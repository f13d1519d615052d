"""Read contents by id, with one SQL statement per thousand ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, select

from backtrail.state.component import Component, Document, Identity, Link, Subcomponent
from backtrail.tools.corpus.record_cache import RecordCache
from backtrail.tools.corpus.tables import records, schema
from backtrail.tools.corpus.tables.database import chunks
from backtrail.tools.corpus.writing.resolve_links import HIERARCHY, LABELS

_LINK = [
    schema.links.c[name]
    for name in ("component_key", "target", "written", "anchor", "cell_row", "cell_column", "component", "kind")
]
"""The component's key, then what ``read_link`` takes."""


def _rows(connection: Connection, statement: Select[Any]) -> Iterator[Sequence[Any]]:
    """Yield rows as plain tuples, fetched at once: a page may have 100,000 links."""
    yield from connection.execute(statement).all()


def in_order(ids: Collection[str]) -> list[str]:
    """Ids in their order; those of a set sorted, because a set's order differs between processes."""
    return sorted(ids) if isinstance(ids, Set) else list(ids)


def documents(
    connection: Connection,
    ids: Collection[str],
    identities: Mapping[str, Identity] | None = None,
    cache: RecordCache[Document] | None = None,
) -> dict[str, Document]:
    """Documents by id with their identities, in the order of ``in_order``, as in all functions here."""
    ordered, known = in_order(ids), identities or {}
    found = cache.of(ordered) if cache else {}
    read: dict[str, Document] = {}
    for some in chunks([id_ for id_ in ordered if id_ not in found]):
        statement = select(schema.documents).where(schema.documents.c.id.in_(some))
        for row in connection.execute(statement).mappings():
            read[row["id"]] = records.read_document(row, known.get(row["id"], Identity()))
    if cache:
        cache.keep(read)
    found |= read
    return {id_: found[id_] for id_ in ordered if id_ in found}


def components(
    connection: Connection, ids: Collection[str], cache: RecordCache[Component] | None = None
) -> dict[str, Component]:
    """Components with all links of their authors, by id, in order."""
    table = schema.components
    columns = [table.c[name] for name in ("key", "id", "position", "modality", "section", "content")]
    statement = select(*columns, schema.documents.c.id.label("document")).join_from(
        table, schema.documents, table.c.document_key == schema.documents.c.key
    )
    ordered = in_order(ids)
    found = cache.of(ordered) if cache else {}
    read: dict[str, Component] = {}
    for some in chunks([id_ for id_ in ordered if id_ not in found]):
        rows = connection.execute(statement.where(table.c.id.in_(some))).mappings().all()
        links = _links_by_key(connection, [row["key"] for row in rows])
        read |= {row["id"]: records.read_component(row, links.get(row["key"], [])) for row in rows}
    if cache:
        cache.keep(read)
    found |= read
    return {id_: found[id_] for id_ in ordered if id_ in found}


def _links_by_key(connection: Connection, keys: Collection[int]) -> dict[int, list[Link]]:
    table = schema.links
    written = and_(table.c.component_key.in_(keys), table.c.kind.not_in((*HIERARCHY, *LABELS)))
    statement = select(*_LINK).where(written).order_by(table.c.component_key, table.c.ordinal)
    links: dict[int, list[Link]] = defaultdict(list)
    for key, *values in _rows(connection, statement):
        links[key].append(records.read_link(*values))
    return links


def internal_links(
    connection: Connection, component_ids: Collection[str], cache: RecordCache[tuple[Link, ...]] | None = None
) -> dict[str, list[Link]]:
    """Internal links of each known component to other documents, possibly none, in order."""
    ordered = in_order(component_ids)
    found: dict[str, list[Link]] = {}
    for some in chunks(ordered):
        kept = cache.of(some) if cache else {}
        read = _read_internal(connection, [id_ for id_ in some if id_ not in kept])
        if cache:
            cache.keep({id_: tuple(links) for id_, links in read.items()})
        found |= read | {id_: list(links) for id_, links in kept.items()}
    return {id_: found[id_] for id_ in ordered if id_ in found}


def _read_internal(connection: Connection, ids: Collection[str]) -> dict[str, list[Link]]:
    found: dict[str, list[Link]] = {}
    by_key = _start_lists(connection, ids, found) if ids else {}
    link = schema.links
    statement = select(*_LINK).where(link.c.component_key.in_(list(by_key)), link.c.kind == "internal")
    ordered = statement.order_by(link.c.component_key, link.c.ordinal)
    for key, target, *values in _rows(connection, ordered) if by_key else ():
        links, own = by_key[key]
        if target != own:  # not a table of contents or a footnote
            links.append(records.read_link(target, *values))
    return found


def _start_lists(
    connection: Connection, ids: Collection[str], found: dict[str, list[Link]]
) -> dict[int, tuple[list[Link], str]]:
    """Add an empty list to ``found`` for each known component; return it and the document by key."""
    table, document = schema.components, schema.documents
    statement = (
        select(table.c.key, table.c.id, document.c.id.label("document"))
        .join_from(table, document, table.c.document_key == document.c.key)
        .where(table.c.id.in_(ids))
    )
    by_key: dict[int, tuple[list[Link], str]] = {}
    for row in connection.execute(statement):
        found[row.id] = []
        by_key[row.key] = (found[row.id], row.document)
    return by_key


def hierarchy(connection: Connection, document_ids: Collection[str]) -> dict[str, list[Link]]:
    """Navigation links of each document, the parent first; documents without any are left out."""
    link = schema.links
    found = _links_of_documents(connection, document_ids, link.c.kind.in_(HIERARCHY) & link.c.target.is_not(None))
    return {id_: [records.read_link(*values) for values in links] for id_, links in found.items()}


def labels(connection: Connection, document_ids: Collection[str]) -> dict[str, list[Link]]:
    """Tags and dates of each document; documents without any are left out."""
    found = _links_of_documents(connection, document_ids, schema.links.c.kind.in_(LABELS))
    return {id_: [Link(target=written, kind=kind) for _, written, *_, kind in links] for id_, links in found.items()}


def _links_of_documents(
    connection: Connection, document_ids: Collection[str], condition: ColumnElement[bool]
) -> dict[str, list[list[Any]]]:
    """Values of the links of each document that fulfil a condition, as in ``_LINK`` without the component."""
    table, link, document = schema.components, schema.links, schema.documents
    ordered = in_order(document_ids)
    found: dict[str, list[list[Any]]] = {}
    for some in chunks(ordered):
        statement = (
            select(document.c.id, *_LINK[1:])
            .join_from(link, table, link.c.component_key == table.c.key)
            .join(document, table.c.document_key == document.c.key)
            .where(document.c.id.in_(some), condition)
            .order_by(link.c.component_key, link.c.ordinal)
        )
        for source, *values in _rows(connection, statement):
            found.setdefault(source, []).append(values)
    return {id_: found[id_] for id_ in ordered if id_ in found}


def subcomponents(connection: Connection, component_ids: Collection[str]) -> dict[str, list[Subcomponent]]:
    """Subcomponents of each known component, possibly none, in order."""
    table, piece = schema.components, schema.subcomponents
    ordered = in_order(component_ids)
    found: dict[str, list[Subcomponent]] = {}
    for some in chunks(ordered):
        for id_ in connection.execute(select(table.c.id).where(table.c.id.in_(some))).scalars():
            found[id_] = []
        statement = (
            select(piece.c.id, piece.c.kind, piece.c.ordinal, piece.c.text, table.c.id.label("component"))
            .join_from(piece, table, piece.c.component_key == table.c.key)
            .where(table.c.id.in_(some))
            .order_by(piece.c.key)
        )
        for row in connection.execute(statement).mappings():
            found[row["component"]].append(records.read_subcomponent(row))
    return {id_: found[id_] for id_ in ordered if id_ in found}
