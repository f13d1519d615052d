"""Insert and remove documents with their dependent rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select

from backtrail.tools.corpus.tables import records
from backtrail.tools.corpus.tables.database import chunks
from backtrail.tools.corpus.tables.prepared import PreparedDocument
from backtrail.tools.corpus.tables.schema import LONGEST_KEY, components, documents, fragments, links, subcomponents

Inserts = dict[Table, list[dict[str, Any]]]


def remove_documents(connection: Connection, ids: Collection[str]) -> int:
    """Remove documents with components, subcomponents, links and fragments; return their number."""
    removed = 0
    for some in chunks(list(ids)):
        keys = connection.execute(select(documents.c.key).where(documents.c.id.in_(some))).scalars().all()
        children = select(components.c.key).where(components.c.document_key.in_(keys))
        connection.execute(delete(subcomponents).where(subcomponents.c.component_key.in_(children)))
        connection.execute(delete(links).where(links.c.component_key.in_(children)))
        connection.execute(delete(fragments).where(fragments.c.document_key.in_(keys)))
        connection.execute(delete(components).where(components.c.document_key.in_(keys)))
        connection.execute(delete(documents).where(documents.c.key.in_(keys)))
        removed += len(keys)
    return removed


def owners_of(connection: Connection, component_ids: Sequence[str]) -> dict[str, str]:
    """Document id of each stored component."""
    owners: dict[str, str] = {}
    for some in chunks(component_ids):
        statement = (
            select(components.c.id, documents.c.id.label("document"))
            .join_from(components, documents, components.c.document_key == documents.c.key)
            .where(components.c.id.in_(some))
        )
        owners.update((row.id, row.document) for row in connection.execute(statement))
    return owners


def insert_documents(connection: Connection, prepared: Sequence[PreparedDocument], keys: Iterator[int]) -> None:
    """Insert documents with their dependent rows; keys are used in reading order."""
    inserts: Inserts = {table: [] for table in (documents, components, subcomponents, links, fragments)}
    for document in prepared:
        _add_document(inserts, document, keys)
    for table, rows in inserts.items():
        if rows:
            connection.execute(insert(table), rows)


def _add_document(inserts: Inserts, prepared: PreparedDocument, keys: Iterator[int]) -> None:
    document_key = next(keys)
    inserts[documents].append(
        {
            "key": document_key,
            **prepared.document.model_dump(),
            "root": prepared.root,
            "content_hash": prepared.content_hash,
            "search_text": prepared.search_text,
            "text_hash": records.text_hash(prepared.search_text),
        }
    )
    inserts[fragments] += [
        {"document_key": document_key, "fragment": fragment, "component": component}
        for fragment, component in prepared.fragments.items()
        if len(fragment.encode("utf-8", "replace")) <= LONGEST_KEY  # links to longer ones reach the document
    ]
    for entry in prepared.components:
        component, component_key = entry.component, next(keys)
        inserts[components].append(
            {
                "key": component_key,
                "id": component.id,
                "document_key": document_key,
                "position": component.position,
                "modality": component.modality,
                "section": component.section,
                "content": records.component_content(component),
                "blob": component.image.blob if component.image else None,
                "search_text": entry.search_text,
                "text_hash": records.text_hash(entry.search_text),
            }
        )
        inserts[links] += [records.link_row(component_key, i, link) for i, link in enumerate(component.links)]
        inserts[subcomponents] += [
            {
                "key": next(keys),
                "id": piece.subcomponent.id,
                "component_key": component_key,
                "kind": piece.subcomponent.kind,
                "ordinal": piece.subcomponent.index,
                "text": piece.subcomponent.text,
                "search_text": piece.search_text,
                "text_hash": records.text_hash(piece.search_text),
            }
            for piece in entry.pieces
        ]
