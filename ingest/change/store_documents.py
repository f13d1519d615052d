"""Store documents in batches, with enrichment, embedding requests and cache entries."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from backtrail.ingest.change.prefetch_embeddings import EmbeddingPrefetch
from backtrail.ingest.discover import Source
from backtrail.ingest.enrich import Enricher
from backtrail.ingest.parse_cache.corpus_cache import CorpusParseCache
from backtrail.ingest.parsed import ParsedDocument, Problem
from backtrail.ingest.prepare_document import prepare
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.writer import CorpusWriter

BATCH = 200
"""Documents per batch."""
_BATCH_BYTES = 64 * 2**20  # of pictures in memory


class _Waiting(NamedTuple):
    """Document to store, its source, and the source's input folder."""

    parsed: ParsedDocument
    source: Source
    root: str


class DocumentStorage:
    """Stores new and changed documents in batches.

    Args:
        known: ids of documents that the corpus already has.
        readings: cache that records stored documents.
    """

    def __init__(
        self,
        writer: CorpusWriter,
        report: IngestReport,
        enricher: Enricher,
        ahead: EmbeddingPrefetch,
        readings: CorpusParseCache,
        progress: Progress,
        known: Container[str],
    ) -> None:
        self._writer, self._report, self._enricher = writer, report, enricher
        self._ahead, self._readings, self._progress, self._known = ahead, readings, progress, known
        self._waiting: list[_Waiting] = []
        self._held = 0

    def add(self, parsed: ParsedDocument, source: Source, root: str) -> bool:
        """Queue a document; return whether the batch was stored."""
        self._waiting.append(_Waiting(parsed, source, root))
        self._held += sum(len(blob) for blob in parsed.blobs.values() if isinstance(blob, bytes))
        is_full = len(self._waiting) >= BATCH or self._held >= _BATCH_BYTES
        if is_full:
            self.store()
        return is_full

    def store(self) -> None:
        """Store the batch."""
        waiting, self._waiting, self._held = self._waiting, [], 0
        enriched = self._enricher.enrich([one.parsed for one in waiting], self._progress)
        made_by = [self._enricher.made_by(parsed) for parsed in enriched]
        self._report.warnings += [part.problem for parsed in enriched for part in parsed.skipped]
        zipped = zip(enriched, waiting, made_by, strict=True)
        batch = [prepare(parsed, one.root, by) for parsed, one, by in zipped]
        refused = self._writer.put(batch) if batch else {}
        self._ahead.add([prepared for prepared in batch if prepared.document.id not in refused])
        for prepared, one, by in zip(batch, waiting, made_by, strict=True):
            id_ = prepared.document.id
            if id_ in refused:
                self._readings.drop(one.source, one.root)
                self._report.failed.append(Problem(f"{prepared.document.source}: {id_}", refused[id_]))
                continue
            self._readings.keep(one.parsed, one.source, one.root, by)
            if id_ in self._known:
                self._report.changed += 1
            else:
                self._report.added += 1
