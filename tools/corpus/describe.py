"""Describe a corpus in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, func, select

from backtrail.state.path import EdgeKind
from backtrail.tools.corpus.edges.count_edges import edge_kinds
from backtrail.tools.corpus.generation import CONTENTS, VECTOR_INDEX, generation_folder
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.storage import noted
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.tables.meta import Meta, read_meta
from backtrail.tools.corpus.writing.resolve_links import count_links
from backtrail.tools.home import corpus_folder
from backtrail.tools.vector_stores.index_folder import stored_kind


@dataclass(frozen=True)
class Description:
    """Counts and provenance of one corpus.

    Attributes:
        store: address of a shared corpus, with the mirrored publication; empty for a local one.
        components: by modality.
        links: by kind, as written.
        edges: between documents, by kind: links, references in texts, shared rare names, site or folder.
        pixels: name of the encoder of pictures, empty without one; ``pixel_model`` is its fingerprint.
        ocr: name of the OCR engine, empty without one.
        index: kind of the vector store.
    """

    name: str
    folder: Path
    store: str
    documents: int
    components: dict[str, int]
    subcomponents: int
    links: dict[str, int]
    edges: dict[EdgeKind, int]
    blobs: int
    blob_bytes: int
    deleted: int
    embedder: str
    fingerprint: str
    dimension: int
    pixels: str
    pixel_model: str
    ocr: str
    index: str
    version: str
    generation: int
    updated: str


def describe(name: str) -> Description:
    """Describe a corpus. CorpusNotFound for an unknown name, CorpusTooNew for a newer layout."""
    with read_only(name) as connection:
        return _describe(connection, name, read_meta(connection, name))


def _describe(connection: Connection, name: str, meta: Meta) -> Description:
    table = schema.components
    modalities = select(table.c.modality, func.count().label("number")).group_by(table.c.modality)
    blobs = connection.execute(select(func.count(), func.coalesce(func.sum(schema.blobs.c.size), 0))).one()
    return Description(
        name=name,
        folder=corpus_folder(name),
        store=f"{kept.address} (publication {kept.number})" if (kept := noted(name)) else "",
        documents=_count(connection, schema.documents),
        components={row.modality: row.number for row in connection.execute(modalities)},
        subcomponents=_count(connection, schema.subcomponents),
        links=count_links(connection),
        edges=edge_kinds(connection, generation_folder(corpus_folder(name), meta.generation)),
        blobs=blobs[0],
        blob_bytes=int(blobs[1]),
        deleted=_count(connection, schema.tombstones),
        embedder=meta.embedder,
        fingerprint=meta.fingerprint,
        dimension=meta.dimension,
        pixels=meta.pixels,
        pixel_model=meta.pixels_fingerprint,
        ocr=meta.ocr,
        index=stored_kind(corpus_folder(name) / VECTOR_INDEX / CONTENTS),
        version=meta.version,
        generation=meta.generation,
        updated=meta.updated,
    )


def _count(connection: Connection, table: schema.Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()
