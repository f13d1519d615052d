"""The writer of a corpus: a change becomes visible atomically.

Everything is written in one SQL transaction, which also names the index generation; that is built beside the current
one before the commit. A killed process leaves the corpus unchanged, and its vectors in the cache, so that the next run
does not embed them again.
"""

from __future__ import annotations

import itertools
import shutil
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, delete, func, insert, select

from backtrail.state.path import EdgeKind
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.dead_links import DeadLinks, dead_links
from backtrail.tools.corpus.edges.count_edges import edge_kinds
from backtrail.tools.corpus.generation import generation_folder
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.tables.database import chunks, overwrite_log
from backtrail.tools.corpus.tables.meta import Meta, write_meta
from backtrail.tools.corpus.tables.postgres import invalid_ids
from backtrail.tools.corpus.tables.prepared import PreparedDocument
from backtrail.tools.corpus.tables.rows import insert_documents, owners_of, remove_documents
from backtrail.tools.corpus.writing.index_vectors import index_vectors
from backtrail.tools.corpus.writing.lock import now
from backtrail.tools.corpus.writing.picture_vectors import PictureVectors, remove_cache
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.publish import (
    build_generation,
    content_version,
    remove_generations,
    remove_unused,
    remove_unused_files,
    used_texts,
)
from backtrail.tools.corpus.writing.resolve_links import count_links, resolve_links
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.embedders.protocol import Embedder
from backtrail.tools.knowledge.describe import Summarize
from backtrail.tools.knowledge.extractions import count_components
from backtrail.tools.knowledge.extractor import extractor_named
from backtrail.tools.knowledge.tables import graph_digest
from backtrail.tools.knowledge.writer import KnowledgeWriter, forget_replies
from backtrail.tools.ocr.forget_pictures import forget_words

READINGS = "readings"
"""Folder of a corpus where ingests record what they read, so that the next one parses only changes."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a later ingest has to know of a stored document."""

    content_hash: str
    root: str
    source: str


class Sharing(Protocol):
    """Publishes a change to other machines, just before the local commit."""

    def publish(self, connection: Connection, meta: Meta, cache: VectorCache, *, forget: bool) -> None:
        """Publish what the transaction sees; an error leaves the corpus unchanged everywhere."""
        ...


@dataclass(frozen=True)
class Published:
    """Result of a change: links and edges of the corpus by kind, texts embedded, the new version."""

    links: dict[str, int]
    edges: dict[EdgeKind, int]
    embedded: int
    version: str


class CorpusWriter:
    """An unpublished change, opened by ``open_writer``; nothing is visible before ``publish``."""

    def __init__(
        self,
        folder: Path,
        connection: Connection,
        meta: Meta,
        cache: VectorCache,
        embedder: Embedder,
        pictures: PictureVectors | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        self._folder = folder
        self._connection = connection
        self._meta = meta
        self._cache = cache
        self._embedder = embedder
        self._pictures = pictures
        self._sharing = sharing
        self._blobs = BlobStore(folder)
        self._keys = itertools.count(meta.last_key + 1)
        self._started = time.monotonic()

    def known(self) -> dict[str, Known]:
        """All stored documents by id."""
        table = schema.documents
        rows = self._connection.execute(select(table.c.id, table.c.content_hash, table.c.root, table.c.source))
        roots: dict[Any, str] = {}  # interned: documents share roots, and those of a bundle their source
        known: dict[str, Known] = {}
        for id_, content_hash, found, source in rows:
            root = roots.setdefault(found, found)
            known[id_] = Known(content_hash, root, str(roots.get(source, source)))
        return known

    def put(self, batch: Sequence[PreparedDocument]) -> dict[str, str]:
        """Store documents, replacing those of the same id; return the refused ones with the reason.

        A document is refused when another document has a component with the same id, when a picture file changed
        while it was read, or when the database cannot store its ids.
        """
        refused = self._clashes(batch)
        if self._connection.dialect.name == "postgresql":
            refused |= invalid_ids(batch)
        for prepared in batch:
            if prepared.document.id not in refused:
                try:
                    self._store_blobs(prepared)
                except (ValueError, FileNotFoundError) as error:
                    refused[prepared.document.id] = str(error)
        accepted = [prepared for prepared in batch if prepared.document.id not in refused]
        ids = [prepared.document.id for prepared in accepted]
        remove_documents(self._connection, ids)
        insert_documents(self._connection, accepted, self._keys)
        for some in chunks(ids):
            self._connection.execute(delete(schema.tombstones).where(schema.tombstones.c.id.in_(some)))
        return refused

    def _clashes(self, batch: Sequence[PreparedDocument]) -> dict[str, str]:
        ids = [one.component.id for prepared in batch for one in prepared.components]
        owners = owners_of(self._connection, ids)
        refused: dict[str, str] = {}
        for prepared in batch:
            own = prepared.document.id
            mine: set[str] = set()
            for one in prepared.components:
                id_ = one.component.id
                if id_ in mine or owners.get(id_, own) != own:
                    refused[own] = f"component id {id_!r} already belongs to document {owners.get(id_, own)!r}"
                    break
                mine.add(id_)
            else:
                owners.update(dict.fromkeys(mine, own))
        return refused

    def _store_blobs(self, prepared: PreparedDocument) -> None:
        for sha256, content in prepared.blobs.items():
            size = self._blobs.put(sha256, content)
            table = schema.blobs
            if not self._connection.execute(select(table.c.size).where(table.c.sha256 == sha256)).first():
                self._connection.execute(insert(table).values(sha256=sha256, size=size))

    def delete(self, ids: Collection[str]) -> int:
        """Remove documents, leaving a tombstone for each; return their number."""
        known = self.known() if ids else {}
        gone = [id_ for id_ in dict.fromkeys(ids) if id_ in known]
        remove_documents(self._connection, gone)
        if gone:
            rows = [{"id": id_, "root": known[id_].root, "deleted": now()} for id_ in gone]
            self._connection.execute(insert(schema.tombstones), rows)
        return len(gone)

    @property
    def is_published(self) -> bool:
        """Whether the corpus was published before this change."""
        return self._meta.generation > 0

    @property
    def pixels_changed(self) -> bool:
        """Whether the encoder of pictures is new or differs from the recorded one."""
        return any(getattr(self._meta, key) != value for key, value in self._pixels().items())

    def record_ocr(self, name: str) -> bool:
        """Record the OCR engine, empty for none; return whether it changed."""
        is_new = name != self._meta.ocr
        self._meta = replace(self._meta, ocr=name)
        return is_new

    @property
    def knowledge(self) -> str:
        """Name of the model that extracts the knowledge graph; empty without one."""
        return self._meta.knowledge

    def read_knowledge(self, extractor: str) -> KnowledgeWriter:
        """Start the extraction of the knowledge graph; ``publish`` merges the results.

        Args:
            extractor: name of the model. Extractions of another model are repeated.
        """
        self._meta = replace(self._meta, knowledge=extractor)
        return KnowledgeWriter(self._connection, self._folder, extractor_named(extractor))

    def count_unread(self) -> dict[str, int]:
        """Number of components by extraction status: read, failed, pending (settled by ``publish``)."""
        return count_components(self._connection)

    @property
    def version(self) -> str:
        """The version before this change; empty for a new corpus."""
        return self._meta.version

    def links(self) -> dict[str, int]:
        """Number of links by kind, as last resolved."""
        return count_links(self._connection)

    def edges(self) -> dict[EdgeKind, int]:
        """Number of edges by kind, as last published."""
        return edge_kinds(self._connection, generation_folder(self._folder, self._meta.generation))

    def dead_links(self) -> dict[str, DeadLinks]:
        """Dead links by cause, as last resolved."""
        return dead_links(self._connection)

    def count(self) -> int:
        """Number of stored documents, including this change."""
        return self._connection.execute(select(func.count()).select_from(schema.documents)).scalar_one()

    def publish(
        self,
        progress: Progress,
        *,
        report: str = "{}",
        rebuild: bool = False,
        forget: bool = False,
        summarize: Summarize | None = None,
    ) -> Published:
        """Resolve links, embed new texts, publish the change, and index its vectors.

        Args:
            report: description of the change as JSON, for the table of runs.
            rebuild: reuse nothing of the previous generation, and rebuild the vector store.
            forget: erase all traces of removed contents: the previous generation, which readers may still have open,
                cached vectors, and replies of models.
            summarize: summarizes long descriptions of the knowledge graph; without it rules do.
        """
        progress.stage("link")
        links = resolve_links(self._connection)
        remove_unused(self._connection)
        number, embedded = build_generation(
            self._connection,
            self._folder,
            self._meta,
            self._cache,
            self._embedder,
            progress,
            rebuild=rebuild,
            forget=forget,
            pictures=self._pictures,
            summarize=summarize,
        )
        progress.stage("publish")
        fingerprints = [self._embedder.fingerprint, *([self._pictures.fingerprint] if self._pictures else [])]
        if self._meta.knowledge:
            fingerprints.append(graph_digest(self._connection))
        edges = edge_kinds(self._connection, generation_folder(self._folder, number))
        published = Published(links, edges, embedded, content_version(self._connection, *fingerprints))
        meta = self._commit(number, published.version, report, forget)
        self._tidy(number, forget)
        index_vectors(self._folder, meta, progress, anew=rebuild, forget=forget)
        progress.stage("done")
        return published

    def _commit(self, number: int, version: str, report: str, forget: bool) -> Meta:
        meta = replace(
            self._meta,
            layout=schema.LAYOUT,
            generation=number,
            version=version,
            fingerprint=self._embedder.fingerprint,
            dimension=self._embedder.dimension,
            last_key=next(self._keys) - 1,
            updated=now(),
            **self._pixels(),
        )
        write_meta(self._connection, meta)
        seconds = round(time.monotonic() - self._started, 3)
        run = {"generation": number, "finished": now(), "seconds": seconds, "report": report}
        self._connection.execute(insert(schema.runs), [run])
        if self._sharing:
            self._sharing.publish(self._connection, meta, self._cache, forget=forget)
        self._connection.commit()
        return meta

    def _pixels(self) -> dict[str, Any]:
        """Metadata of the pixel encoder."""
        seen = self._pictures
        return {
            "pixels": seen.name if seen else "",
            "pixels_fingerprint": seen.fingerprint if seen else "",
            "pixels_dimension": seen.dimension if seen else 0,
        }

    def _tidy(self, number: int, forget: bool) -> None:
        remove_generations(self._folder, {number} if forget else {number, self._meta.generation})
        remove_unused_files(self._connection, self._folder)
        self._cache.remove_others()
        if forget:
            self._cache.keep_only(used_texts(self._connection))
            forget_replies(self._connection, self._folder)
            forget_words()
            shutil.rmtree(self._folder / READINGS, ignore_errors=True)
        if self._pictures:
            self._pictures.tidy(self._connection, forget)
        else:
            remove_cache(self._folder)
        if forget:
            self._connection.commit()
            overwrite_log(self._connection)
