"""Ingest files, folders and bundles into a corpus; only changes are processed.

An ingest is one change of the corpus, published when all is stored and indexed. Killed before, it leaves the corpus
unchanged; the next one embeds only texts without vectors.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from backtrail.ingest.change.apply_sources import SourceChanges
from backtrail.ingest.change.enrichers import enriching_on
from backtrail.ingest.change.input_paths import InputPaths
from backtrail.ingest.change.prefetch_embeddings import prefetching_embeddings
from backtrail.ingest.change.publish import publish_what_changed
from backtrail.ingest.change.retry_conflict import retry_on_conflict
from backtrail.ingest.choose_ocr import choose_ocr
from backtrail.ingest.discover import Discovery
from backtrail.ingest.enrich import Enricher
from backtrail.ingest.knowledge import reading_knowledge, report_knowledge
from backtrail.ingest.pages.embed_pages import update_pages
from backtrail.ingest.parsing.ray_actors import ParsingCopies, parsing_on
from backtrail.ingest.report import IngestReport
from backtrail.ingest.web.mirror import Mirror
from backtrail.tools.corpus.errors import CorpusEmpty
from backtrail.tools.corpus.open import recorded_embedder, shared_embedder
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.pages.page_places import forget_absent
from backtrail.tools.corpus.pixels import Pixels, open_pixels
from backtrail.tools.corpus.writing.progress import Progress, Silent
from backtrail.tools.corpus.writing.writer import CorpusWriter
from backtrail.tools.deciders.protocol import Decider
from backtrail.tools.embedders.protocol import Embedder, PixelEmbedder
from backtrail.tools.embedders.ray_actors import embedding_on
from backtrail.tools.home import corpus_folder

if TYPE_CHECKING:
    from langchain_core.document_loaders import BaseLoader


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
    """Ingest paths and mirrors of sites into a corpus, which is created if missing.

    Documents of the same folders that are no longer there are deleted; those of other paths stay. Sources that cannot
    be read are reported, and their earlier versions stay.

    Args:
        embedder: name of the embedder; None for the corpus's own, "offline" for a new one.
        opened: that embedder, if it is already open.
        pixels: name of the pixel encoder; None for the corpus's own, if any.
        opened_pixels: that encoder, if it is already open.
        enricher: models that describe pictures or summarise documents, and OCR. None uses OCR as ``choose_ocr``
            does, like the command; ``Enricher()`` adds nothing.
        extractor: model that extracts the knowledge graph. None extracts nothing, but drops facts of changed and
            deleted components from an existing graph.
        sites: mirrors of crawled sites, each treated as a folder.
        loaders: LangChain document loaders by name, with which the ids of their documents start. Documents that a
            loader no longer returns are deleted.
        most: maximum number of documents; None for no limit.
        engine: where texts are embedded and files parsed: "local", "ray" or "ray://HOST:PORT".
        forget: erase all removed or replaced data of this and earlier ingests.
        instead_of: folders that the first path replaces, although they still exist; their documents that it lacks are
            deleted.

    Raises:
        LoaderUnusable, LoaderFailed: see ``loaded_bundles``.
        NothingCameFrom, NoSuchPath, NothingToIngest, DuplicateDocument: see ``InputPaths``.
        CorpusFull, CorpusEmpty: there are too many documents, or none; the published corpus is unchanged.
        FilesUnseen, WorkersDiffer, EngineUnavailable: see ``ParsingCopies`` and ``KeptActor``.
        CorpusLocked, EmbedderMismatch, PixelsMismatch, CorpusDiskFull: see ``open_writer``.
        TesseractMissing, OcrUnusable: the corpus uses OCR, which is no longer installed.
    """
    with _bundles_of(corpus, loaders) as bundles, _enriching(enricher, engine, corpus) as enriching:
        given = InputPaths([*paths, *bundles], sites, instead_of)
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
    """Inputs of an ingest except embedder and engine."""

    corpus: str
    given: InputPaths
    sources: Discovery
    progress: Progress
    enricher: Enricher
    extractor: Decider | None
    most: int | None
    forget: bool

    def made(
        self, name: str, opened: Embedder | None, pixels: Pixels | Literal["recorded"] | None, engine: str
    ) -> IngestReport:
        """Run the ingest with an embedder, and retry after a conflict with another machine."""
        started = time.monotonic()
        with embedding_on(engine, name, opened or shared_embedder(name)) as embedding, parsing_on(engine) as copies:

            def change() -> IngestReport:
                with open_writer(self.corpus, name, embedding, pixels=pixels) as writer:
                    return self._written(writer, embedding, copies)

            report = retry_on_conflict(change)
        report.pages = update_pages(self.corpus, self.progress)
        if problems := [pages.problem for pages in report.pages if pages.problem]:
            report.pages_note = " ".join(["New pages are not embedded.", *problems])
            if self.forget:
                forget_absent(self.corpus)
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
        report.dead_links = writer.dead_links()
        report_knowledge(report, writer, reading)
        return report


def _what_failed(report: IngestReport) -> str:
    some = [
        f"\n  {problem.source}: {problem.reason}" for problem in (report.failed + report.skipped + report.warnings)[:5]
    ]
    return "None of the sources could be read:" + "".join(some) if some else "There is nothing readable."
