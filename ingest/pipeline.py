"""Ingest files, folders and bundles into a corpus: only what changed, once, whatever happens meanwhile.

A run is one change of the corpus: it becomes visible when all is stored and indexed. Killed before,
it leaves the corpus as it was; run again, it embeds only what was not embedded yet.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from langchain_core.document_loaders import BaseLoader

from backtrail.ingest.change.apply_sources import SourceChanges
from backtrail.ingest.change.enrichers import enriching_on
from backtrail.ingest.change.input_paths import Given
from backtrail.ingest.change.prefetch_embeddings import prefetching_embeddings
from backtrail.ingest.change.publish import publish_what_changed
from backtrail.ingest.change.retry_conflict import retry_on_conflict
from backtrail.ingest.choose_ocr import choose_ocr
from backtrail.ingest.discover import Discovery
from backtrail.ingest.enrich import Enricher
from backtrail.ingest.knowledge import reading_knowledge, report_knowledge
from backtrail.ingest.parsing.ray_actors import ParsingCopies, parsing_on
from backtrail.ingest.report import IngestReport
from backtrail.ingest.web.mirror import Mirror
from backtrail.tools.corpus.errors import CorpusEmpty
from backtrail.tools.corpus.open import recorded_embedder, shared_embedder
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.pixels import Pixels, open_pixels
from backtrail.tools.corpus.writing.progress import Progress, Silent
from backtrail.tools.corpus.writing.writer import CorpusWriter
from backtrail.tools.deciders.protocol import Decider
from backtrail.tools.embedders.protocol import Embedder, PixelEmbedder
from backtrail.tools.embedders.ray_actors import embedding_on
from backtrail.tools.home import corpus_folder


def ingest(
    paths: Sequence[Path],
    corpus: str,
    *,
    embedder: str | None = None,
    opened: Embedder | None = None,
    pixels: str | None = None,
    opened_pixels: PixelEmbedder | None = None,
    progress: Progress | None = None,
    enricher: Enricher | None = None,
    extractor: Decider | None = None,
    sites: Sequence[Mirror] = (),
    loaders: Mapping[str, BaseLoader] | None = None,
    most: int | None = None,
    engine: str = "local",
    forget: bool = False,
    instead_of: Sequence[Path] = (),
) -> IngestReport:
    """Bring what lies under the paths, and what was fetched of sites, into a corpus, which is made if need be.

    Documents that were ingested from a folder given again, and are no longer in it, are deleted. Those of
    other paths stay. What cannot be read is reported and skipped; of what was read before, the earlier version stays.

    Args:
        embedder: name of the embedder; None takes the corpus's own, for a new one "offline".
        opened: the embedder of that name, when it is at hand already.
        pixels: name of the encoder that sees the pictures; None takes the corpus's own, which a new one has not.
        opened_pixels: the encoder of that name, when it is at hand already.
        enricher: models that describe pictures or sum up documents, and OCR. None has OCR as ``choose_ocr`` chooses it,
            like the command; ``Enricher()`` keeps what was parsed.
        extractor: who reads the whole corpus into its knowledge graph. None reads nothing: of a graph that is
            there, what came from components that changed or went is dropped.
        sites: mirrors of sites that were walked over for this corpus, each like a folder.
        loaders: LangChain document loaders by a name for each, which begins the ids of its documents. What a loader
            of that name no longer gives is deleted.
        most: documents that may be brought; None bounds nothing.
        engine: where texts are embedded and files parsed: "local", "ray" or "ray://HOST:PORT".
        forget: leave no trace of what the corpus no longer holds, removed or replaced now or by an earlier ingest.
        instead_of: folders whose documents the first path has now, though they are still there; what it has not is
            deleted, as if it had always been that folder.

    Raises:
        LoaderUnusable, LoaderFailed: see ``loaded_bundles``.
        NothingCameFrom, NoSuchPath, NothingToIngest, DuplicateDocument: see ``Given``.
        CorpusFull, CorpusEmpty: there is more than may be brought, or nothing; what can be searched is as before.
        FilesUnseen, WorkersDiffer, EngineUnavailable: see ``ParsingCopies`` and ``KeptActor``.
        CorpusLocked, EmbedderMismatch, PixelsMismatch, CorpusDiskFull: see ``open_writer``.
        TesseractMissing, OcrUnusable: the corpus was made with OCR, which is not there any more.
    """
    with _bundles_of(corpus, loaders) as bundles, _enriching(enricher, engine, corpus) as enriching:
        given = Given([*paths, *bundles], sites, instead_of)
        change = _Change(corpus, given, given.sources(), progress or Silent(), enriching, extractor, most, forget)
        seeing = open_pixels(pixels, opened_pixels) if pixels else "recorded"
        return change.made(embedder or recorded_embedder(corpus) or "offline", opened, seeing, engine)


def _bundles_of(corpus: str, loaders: Mapping[str, BaseLoader] | None) -> AbstractContextManager[list[Path]]:
    if not loaders:
        return nullcontext([])
    from backtrail.ingest.loaders.load_bundle import loaded_bundles

    return loaded_bundles(corpus, loaders)


def _enriching(enricher: Enricher | None, engine: str, corpus: str) -> AbstractContextManager[Enricher]:
    return enriching_on(engine, corpus, choose_ocr(None, None, corpus)) if enricher is None else nullcontext(enricher)


@dataclass(frozen=True)
class _Change:
    """All of one ingest but where and with what it embeds."""

    corpus: str
    given: Given
    sources: Discovery
    progress: Progress
    enricher: Enricher
    extractor: Decider | None
    most: int | None
    forget: bool

    def made(
        self, name: str, opened: Embedder | None, pixels: Pixels | Literal["recorded"] | None, engine: str
    ) -> IngestReport:
        """Make it, with the embedder of that name; again, where another machine was faster."""
        started = time.monotonic()
        with embedding_on(engine, name, opened or shared_embedder(name)) as embedding, parsing_on(engine) as copies:

            def change() -> IngestReport:
                with open_writer(self.corpus, name, embedding, pixels=pixels) as writer:
                    return self._written(writer, embedding, copies)

            report = retry_on_conflict(change)
        report.seconds = round(time.monotonic() - started, 3)
        return report

    def _written(self, writer: CorpusWriter, embedding: Embedder, copies: ParsingCopies | None) -> IngestReport:
        report = IngestReport(self.corpus)
        other_ocr = writer.record_ocr(self.enricher.ocr)
        with prefetching_embeddings(corpus_folder(self.corpus) / "vectors", embedding) as ahead:
            read = SourceChanges(writer, report, self.given, self.progress, self.enricher, ahead, copies, self.most)
            read.read(self.sources)
            ahead.finish()
        report.ocr = self.enricher.ocr_counts()
        report.ocr_note = self.enricher.ocr_note if report.pictures else ""
        if not writer.count():
            raise CorpusEmpty(self.corpus, _what_failed(report))
        with reading_knowledge(self.extractor, writer, self.progress) as reading:
            publish_what_changed(writer, report, reading, self.progress, anyway=other_ocr, forget=self.forget)
        report.embedded += ahead.embedded
        read.readings.save()
        report.dead = writer.dead_links()
        report_knowledge(report, writer, reading)
        return report


def _what_failed(report: IngestReport) -> str:
    some = [f"\n  {problem.source}: {problem.reason}" for problem in (report.failed + report.skipped)[:5]]
    return "Nothing that was given could be read:" + "".join(some) if some else "Nothing readable was given."
