"""List documents and components of a corpus, from its tables.

Opens neither index nor embedder, so it also works for a corpus whose first ingest did not finish.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import func, select

from backtrail.state.component import Component, Document
from backtrail.tools.corpus import contents
from backtrail.tools.corpus.errors import CorpusNotFound, DocumentNotFound
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.tables import schema


@dataclass(frozen=True)
class StoredDocument:
    """A document, with its number of components by modality."""

    id: str
    title: str
    components: dict[str, int]


def ingested_from(name: str) -> list[str]:
    """The folders and files that the documents of a corpus were ingested from.

    Raises:
        CorpusNotFound: no such corpus.
    """
    root = schema.documents.c.root
    with read_only(name) as connection:
        return list(connection.scalars(select(root).distinct().order_by(root)))


def stored_documents(name: str) -> Iterator[StoredDocument]:
    """Yield all documents, sorted by id.

    Raises:
        CorpusNotFound: no such corpus.
    """
    table, document = schema.components, schema.documents
    counted = (
        select(document.c.id, document.c.title, table.c.modality, func.count(table.c.key).label("number"))
        .join_from(document, table, table.c.document_key == document.c.key, isouter=True)
        .group_by(document.c.id, document.c.title, table.c.modality)
        .order_by(document.c.id)
    )
    entry: StoredDocument | None = None
    with read_only(name) as connection:
        for row in connection.execute(counted, execution_options={"yield_per": 4_096}):
            if entry is None or entry.id != row.id:
                if entry is not None:
                    yield entry
                entry = StoredDocument(row.id, row.title, {})
            if row.modality is not None:
                entry.components[row.modality] = row.number
    if entry is not None:
        yield entry


def offered_documents(name: str, most: int) -> list[str]:
    """Folders, as predicates, and ids among the first documents of a corpus: suggestions for ``documents``.

    Raises:
        CorpusNotFound: no such corpus.
    """
    with read_only(name) as connection:
        ids = connection.scalars(select(schema.documents.c.id).order_by(schema.documents.c.key).limit(most)).all()
    folders = dict.fromkeys(f"under:{id_.rpartition('/')[0]}/" for id_ in ids if "/" in id_)
    return [*folders, *ids][:most]


def source_of(name: str, document: str) -> str:
    """Return the path that a document was ingested from.

    Raises:
        CorpusNotFound, DocumentNotFound: as they say; the message lists similar ids.
    """
    return stored_components(name, document)[0].source


def documents_of_source(name: str, source: str) -> list[str]:
    """Return the ids of the documents of a source, sorted.

    Raises:
        CorpusNotFound: no such corpus.
    """
    table = schema.documents
    with read_only(name) as connection:
        return list(connection.scalars(select(table.c.id).where(table.c.source == source).order_by(table.c.id)))


def source_digests(name: str) -> dict[str, str]:
    """Return a digest of the documents of each source by its path; no corpus has no sources."""
    table = schema.documents
    found: dict[str, list[str]] = {}
    try:
        with read_only(name) as connection:
            for source, digest in connection.execute(select(table.c.source, table.c.content_hash).order_by(table.c.id)):
                found.setdefault(source, []).append(digest)
    except CorpusNotFound:
        return {}
    return {source: " ".join(digests) for source, digests in found.items()}


def stored_components(name: str, document: str) -> tuple[Document, list[Component]]:
    """A document with its components in reading order.

    Raises:
        CorpusNotFound: no such corpus.
        DocumentNotFound: no such document; the message lists similar ids.
    """
    table = schema.components
    with read_only(name) as connection:
        found = contents.documents(connection, [document])
        if document not in found:
            ids = connection.execute(select(schema.documents.c.id).order_by(schema.documents.c.id)).scalars()
            raise DocumentNotFound(name, document, ids)
        ordered = (
            select(table.c.id)
            .join_from(table, schema.documents, table.c.document_key == schema.documents.c.key)
            .where(schema.documents.c.id == document)
            .order_by(table.c.position)
        )
        ids = connection.execute(ordered).scalars().all()
        return found[document], list(contents.components(connection, ids).values())
