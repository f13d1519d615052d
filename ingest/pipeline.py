"""Ingest files, folders and bundles into a corpus: only what changed, once, whatever happens meanwhile.

A run is one change of the corpus: it becomes visible when all is stored and indexed. Killed before,
it leaves the corpus as it was; run again, it embeds only what was not embedded yet.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Sequence, Set
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from backtrail.ingest.begun_again import begun_again
from backtrail.ingest.discover import Discovery, Source, discover
from backtrail.ingest.embed_ahead import EmbedAhead, embedding_ahead
from backtrail.ingest.enrich import Enricher
from backtrail.ingest.errors import NothingCameFrom
from backtrail.ingest.knowledge import KnowledgeReading, reading_knowledge, report_knowledge
from backtrail.ingest.parsed import EmptyFile, ParsedDocument
from backtrail.ingest.parsing.ray_actors import ParsingCopies, parsing_on
from backtrail.ingest.parsing.sources import Begun, SourceReader
from backtrail.ingest.pictures.unshown import ShownPictures
from backtrail.ingest.prepare import prepare, stored_hash
from backtrail.ingest.report import IngestReport, Problem
from backtrail.ingest.unchanged.corpus_readings import CorpusReadings
from backtrail.ingest.unchanged.reading import Reading
from backtrail.ingest.web.mirror import Mirror
from backtrail.ingest.web.sources import sources_of
from backtrail.tools.corpus.errors import CorpusEmpty, CorpusFull
from backtrail.tools.corpus.open import recorded_embedder, shared_embedder
from backtrail.tools.corpus.pixels import open_pixels
from backtrail.tools.corpus.writing.open_writer import open_writer
from backtrail.tools.corpus.writing.progress import Progress, Silent
from backtrail.tools.corpus.writing.writer import CorpusWriter, Known
from backtrail.tools.deciders.protocol import Decider
from backtrail.tools.embedders.protocol import Embedder, PixelEmbedder
from backtrail.tools.embedders.ray_actors import embedding_on
from backtrail.tools.home import corpus_folder

_BATCH = 200  # documents stored at once
_BATCH_BYTES = 64 * 2**20  # or pictures held in memory until then


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
    most: int | None = None,
    engine: str = "local",
    forget: bool = False,
    instead_of: Sequence[Path] = (),
) -> IngestReport:
    """Bring what lies under the paths, and what was fetched of sites, into a corpus, which is made if need be.

    Documents that were ingested from a folder given again, and are no longer in it, are deleted. Those of
    other paths stay. What cannot be read is reported and skipped; of a document that was read before, the
    earlier version stays.

    Args:
        embedder: name of the embedder; None takes the corpus's own, for a new one "offline".
        opened: the embedder of that name, when it is at hand already.
        pixels: name of the encoder that sees the pictures; None takes the corpus's own, which a new one has not.
        opened_pixels: the encoder of that name, when it is at hand already.
        enricher: models that describe pictures or sum up documents, and OCR; None keeps what was parsed.
        extractor: who reads the whole corpus into its knowledge graph. None reads nothing: of a graph that is
            there, what came from components that changed or went is dropped.
        sites: mirrors of sites that were walked over for this corpus, each like a folder.
        most: documents that may be brought; None bounds nothing.
        engine: where texts are embedded and files parsed: "local", "ray" or "ray://HOST:PORT".
        forget: leave no trace of what the corpus no longer holds, removed or replaced now or by an earlier ingest.
        instead_of: folders whose documents the first path has now, though they are still there; what it has not is
            deleted, as if it had always been that folder.

    Raises:
        NothingCameFrom: no document was ingested from a folder whose place is taken.
        NoSuchPath, NothingToIngest, DuplicateDocument: see ``discover``.
        CorpusFull: there are more than may be brought; what can be searched is as before.
        CorpusEmpty: nothing could be read, and nothing was there before.
        FilesUnseen, WorkersDiffer, EngineUnavailable: see ``ParsingCopies`` and ``KeptActor``.
        CorpusLocked, EmbedderMismatch, PixelsMismatch, CorpusDiskFull: see ``open_writer``.
    """
    started = time.monotonic()
    progress, enricher = progress or Silent(), enricher or Enricher()
    paths = [Path(os.path.abspath(path)) for path in paths]  # what is stored must not depend on where we stand
    left = {os.path.abspath(path) for path in instead_of}
    sources = _sources(paths, sites)
    name = embedder or recorded_embedder(corpus) or "offline"
    seeing = open_pixels(pixels, opened_pixels) if pixels else "recorded"

    def change() -> IngestReport:
        with open_writer(corpus, name, embedding, pixels=seeing) as writer:
            other_ocr = writer.record_ocr(enricher.ocr)
            roots = [*paths, *(site.root for site in sites)]
            with embedding_ahead(corpus_folder(corpus) / "vectors", embedding) as ahead:
                run = _Run(writer, IngestReport(corpus), progress, roots, enricher, most, ahead, copies, left)
                report = run.read(sources)
                ahead.finish()
            report.ocr = enricher.ocr_counts()
            if not writer.count():
                raise CorpusEmpty(corpus, _what_failed(report))
            with reading_knowledge(extractor, writer, progress) as reading:
                _publish_what_changed(writer, report, reading, progress, anyway=other_ocr, forget=forget)
            report.embedded += ahead.embedded
            run.readings.save()
            report.dead = writer.dead_links()
            report_knowledge(report, writer, reading)
            return report

    with embedding_on(engine, name, opened or shared_embedder(name)) as embedding, parsing_on(engine) as copies:
        report = begun_again(change)
    report.seconds = round(time.monotonic() - started, 3)
    return report


def _sources(paths: Sequence[Path], sites: Sequence[Mirror]) -> Discovery:
    """What lies under the paths, then what was fetched of the sites."""
    sources = discover(paths) if paths or not sites else Discovery()
    for site in sites:
        sources.add(sources_of(site))
    return sources


def _publish_what_changed(
    writer: CorpusWriter,
    report: IngestReport,
    reading: KnowledgeReading | None,
    progress: Progress,
    *,
    anyway: bool,
    forget: bool,
) -> None:
    """Make a change visible, if there is one, and put what is visible then into the report.

    To forget is one: what earlier ingests removed stands in the generation before, and in files of this one.
    """
    changed = report.anything_new or writer.pixels_changed or anyway or forget or not writer.is_published
    if changed or (reading and reading.changed):
        summarize = reading.summarize if reading else None
        told = json.dumps(report.counts())
        published = writer.publish(progress, report=told, summarize=summarize, forget=forget)
        report.links, report.edges = published.links, published.edges
        report.embedded, report.version = published.embedded, published.version
    else:
        report.links, report.edges, report.version = writer.links(), writer.edges(), writer.version


class _Waiting(NamedTuple):
    """A document to be stored, its source, and the given folder that this was found in."""

    parsed: ParsedDocument
    source: Source
    root: str


class _Run:
    """One pass over the sources. ``_seen`` maps ids met in this run to the source that had them first."""

    def __init__(
        self,
        writer: CorpusWriter,
        report: IngestReport,
        progress: Progress,
        paths: Sequence[Path],
        enricher: Enricher,
        most: int | None,
        ahead: EmbedAhead,
        copies: ParsingCopies | None,
        left: Set[str],
    ) -> None:
        self._writer, self._most, self._ahead, self._copies = writer, most, ahead, copies
        self._enricher = enricher
        self._report = report
        self._progress = progress
        self._folders = [path for path in paths if path.is_dir()]
        self._files = [path for path in paths if path.is_file()]
        self._known, self._left = writer.known(), left
        came_from = {known.root for known in self._known.values()}
        if strange := sorted(left - came_from):
            raise NothingCameFrom(report.corpus, strange[0], sorted(came_from))
        self._seen: dict[str, str] = {}
        self._incomplete: set[str] = set()
        self._unreadable: set[str] = set()
        self._waiting: list[_Waiting] = []
        self.readings = CorpusReadings(corpus_folder(report.corpus), self._known, enricher)
        self._held = 0
        self._shown = ShownPictures()

    def read(self, sources: Discovery) -> IngestReport:
        """Store what is new or changed, delete what is gone."""
        self._report.skipped += [Problem(str(part.path), part.reason) for part in sources.skipped]
        self._report.unknown = dict(Counter(part.unknown for part in sources.skipped if part.unknown))
        total = len(sources.sources)
        self._progress.stage("read", total)
        rooted = [(source, self._root(source)) for source in sources]
        with closing(SourceReader(self.readings, self._enricher.pictures, copies=self._copies)) as reader:
            for number, begun in enumerate(reader.read(rooted), 1):
                if self._read(begun) and self._enricher.pictures:  # what waited was stored, after a stage of OCR's
                    self._progress.stage("read", total)
                    self._progress.advance(number)
                else:
                    self._progress.advance()
        self._read_unshown(sources.figures)
        self._store()
        self._delete_vanished([part.path for part in sources.skipped])
        return self._report

    def _read(self, begun: Begun) -> bool:
        """Read one source; whether what waited was stored meanwhile."""
        (source, root, entries), stored = begun, False
        for entry in entries:
            if isinstance(entry, Problem):
                blank = isinstance(entry, EmptyFile) and source.document_id not in self._known
                (self._report.skipped if blank else self._report.failed).append(entry)
                if source.kind == "bundle":
                    self._incomplete.add(root)  # which document a bad line belongs to is not known
                else:
                    self._seen.setdefault(source.document_id, str(source.path))
                    self._unreadable.add(str(source.path))  # a file may have been several documents
            elif isinstance(entry, Reading):
                self._take_over(entry, source, root)
            else:
                self._shown.add(entry)
                stored = self._consider(entry, source, root) or stored
        return stored

    def _take_over(self, reading: Reading, source: Source, root: str) -> None:
        """Leave a document as it is stored: its source was not parsed again."""
        if self._may_be(reading.document, source, root, same_source=True):
            self._shown.add_reading(reading)
            self._report.count_reading(reading)
            self._report.unchanged += 1

    def _read_unshown(self, figures: Sequence[Source]) -> None:
        """Take in the pictures beside pages that none of these shows."""
        for figure in figures:
            root = self._root(figure)
            found = self._shown.document_of(figure, self.readings.of(figure, root))
            if isinstance(found, ParsedDocument):
                self._report.unshown += 1
                self._consider(found, figure, root)
            elif found is not None and found.document:
                self._report.unshown += 1
                self._take_over(found, figure, root)
            elif found is not None:
                self._report.count_reading(found)

    def _may_be(self, id_: str, source: Source, root: str, *, same_source: bool) -> bool:
        """Whether a document may be the one of its id; why not is reported."""
        known = self._known.get(id_)
        problem = ""
        if id_ in self._seen:
            problem = f"another document with this id was read before, from {self._seen[id_]}"
        elif known and not same_source and known.root not in self._left and Path(known.root).exists():
            problem = (
                f"the corpus holds another document with this id, from {known.root}. Delete that one first, or have "
                f"this folder take the place of that one: --instead-of {known.root}"
            )
        self._seen.setdefault(id_, str(source.path))
        if self._most is not None and len(self._seen) > self._most:
            raise CorpusFull(self._report.corpus, self._most)
        if problem:
            self._report.failed.append(Problem(f"{source.path}: {id_}", problem))
        return not problem

    def _consider(self, parsed: ParsedDocument, source: Source, root: str) -> bool:
        """Take a document in hand if it is new or changed; whether it was time to store what waits."""
        id_ = parsed.document.id
        known = self._known.get(id_)
        same_source = known is not None and (known.root == root or known.source == parsed.document.source)
        if not self._may_be(id_, source, root, same_source=same_source):
            self.readings.drop(source, root)
            return False
        self._report.count_parts(parsed)
        made_by = self._enricher.made_by(parsed)
        if known and same_source and known.content_hash == stored_hash(parsed, made_by):
            self._report.skipped += [Problem(part.source, part.reason) for part in parsed.skipped]
            self._report.unchanged += 1
            self.readings.keep(parsed, source, root, made_by)
            return False
        self._waiting.append(_Waiting(parsed, source, root))
        self._held += sum(len(blob) for blob in parsed.blobs.values() if isinstance(blob, bytes))
        is_time = len(self._waiting) >= _BATCH or self._held >= _BATCH_BYTES
        if is_time:
            self._store()
        return is_time

    def _store(self) -> None:
        waiting, self._waiting, self._held = self._waiting, [], 0
        enriched = self._enricher.enrich([one.parsed for one in waiting], self._progress)
        made_by = [self._enricher.made_by(parsed) for parsed in enriched]
        self._report.skipped += [Problem(part.source, part.reason) for parsed in enriched for part in parsed.skipped]
        zipped = zip(enriched, waiting, made_by, strict=True)
        batch = [prepare(parsed, one.root, by) for parsed, one, by in zipped]
        refused = self._writer.put(batch) if batch else {}
        self._ahead.add([prepared for prepared in batch if prepared.document.id not in refused])
        for prepared, one, by in zip(batch, waiting, made_by, strict=True):
            id_ = prepared.document.id
            if id_ in refused:
                self.readings.drop(one.source, one.root)
                self._report.failed.append(Problem(f"{prepared.document.source}: {id_}", refused[id_]))
                continue
            self.readings.keep(one.parsed, one.source, one.root, by)
            if id_ in self._known:
                self._report.changed += 1
            else:
                self._report.added += 1

    def _delete_vanished(self, skipped: Sequence[Path]) -> None:
        """Delete what a given folder or file no longer has. What is there but was not read keeps its old version."""
        roots = {str(path) for path in (*self._folders, *self._files)} - self._incomplete
        roots |= set() if self._incomplete else self._left
        gone = [
            id_
            for id_, known in self._known.items()
            if known.root in roots
            and id_ not in self._seen
            and self._lies(known) not in self._unreadable
            and not any(Path(self._lies(known)).is_relative_to(path) for path in skipped)
        ]
        self._report.deleted = self._writer.delete(gone)

    def _lies(self, known: Known) -> str:
        """Where the source of a document is to be looked for now."""
        if known.root in self._left and self._folders and Path(known.source).is_relative_to(known.root):
            return str(self._folders[0] / Path(known.source).relative_to(known.root))
        return known.source

    def _root(self, source: Source) -> str:
        """The given folder that a source was found in; the file itself when it was given directly."""
        folders = (str(folder) for folder in self._folders if source.path.is_relative_to(folder))
        return next(folders, str(source.path))


def _what_failed(report: IngestReport) -> str:
    some = [f"\n  {problem.source}: {problem.reason}" for problem in (report.failed + report.skipped)[:5]]
    return "Nothing that was given could be read:" + "".join(some) if some else "Nothing readable was given."
