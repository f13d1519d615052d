"""Apply all sources of an ingest: store new and changed documents, delete missing ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from backtrail.ingest.change.input_paths import InputPaths, SeenDocuments
from backtrail.ingest.change.prefetch_embeddings import EmbeddingPrefetch
from backtrail.ingest.change.store_documents import DocumentStorage
from backtrail.ingest.discover import Discovery, Source
from backtrail.ingest.duplicate_files import duplicate_files
from backtrail.ingest.enrich import Enricher
from backtrail.ingest.parse_cache.corpus_cache import CorpusParseCache
from backtrail.ingest.parse_cache.parsed_file import Reading
from backtrail.ingest.parsed import EmptyFile, ParsedDocument, Problem
from backtrail.ingest.parsing.ray_actors import ParsingCopies
from backtrail.ingest.parsing.sources import OpenedSource, SourceReader
from backtrail.ingest.pictures.unreferenced import ShownPictures
from backtrail.ingest.prepare_document import stored_hash
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.errors import CorpusFull
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.writer import CorpusWriter
from backtrail.tools.home import corpus_folder


class SourceChanges:
    """Applies the sources of an ingest to a corpus that is open for writing.

    Args:
        most: maximum number of documents; None for no limit.
        copies: Ray actors that parse.

    Raises:
        NothingCameFrom: see ``InputPaths.check``.
    """

    def __init__(
        self,
        writer: CorpusWriter,
        report: IngestReport,
        given: InputPaths,
        progress: Progress,
        enricher: Enricher,
        ahead: EmbeddingPrefetch,
        copies: ParsingCopies | None,
        most: int | None,
    ) -> None:
        self._writer, self._report, self._given, self._progress = writer, report, given, progress
        self._enricher, self._copies, self._most = enricher, copies, most
        self._known = writer.known()
        given.check(report.corpus, self._known)
        self._met, self._shown, self._taken = SeenDocuments(), ShownPictures(), 0
        self.readings = CorpusParseCache(corpus_folder(report.corpus), self._known, enricher)
        self._storing = DocumentStorage(writer, report, enricher, ahead, self.readings, progress, self._known)

    def read(self, sources: Discovery) -> IngestReport:
        """Store new and changed documents and delete missing ones.

        Raises:
            CorpusFull: there are more documents than allowed.
        """
        self._report.skipped += [Problem(_as_text(part.path), part.reason) for part in sources.skipped]
        files = [source for source in sources if source.kind != "bundle"]
        new = {source.path for source in files if source.document_id not in self._known}
        repeated = duplicate_files((source.path for source in files), new)
        self._report.duplicates = {_as_text(path): _as_text(first) for path, first in repeated.items()}
        self._report.unknown = dict(Counter(part.unknown for part in sources.skipped if part.unknown))
        total = len(sources.sources)
        self._progress.stage("read", total)
        rooted = [(source, self._given.root_of(source)) for source in sources]
        with closing(SourceReader(self.readings, self._enricher.pictures, copies=self._copies)) as reader:
            for number, opened in enumerate(reader.read(rooted), 1):
                if self._read(opened) and self._enricher.pictures:  # storing the batch showed a stage of OCR
                    self._progress.stage("read", total)
                    self._progress.advance(number)
                else:
                    self._progress.advance()
        self._read_unshown(sources.figures)
        self._storing.store()
        skipped = [part.path for part in sources.skipped]
        self._report.deleted = self._writer.delete([*self._given.gone(self._known, self._met, skipped)])
        return self._report

    def _read(self, opened: OpenedSource) -> bool:
        """Read one source; return whether a batch was stored."""
        (source, root, entries), stored = opened, False
        for entry in entries:
            if isinstance(entry, Problem):
                blank = isinstance(entry, EmptyFile) and source.document_id not in self._known
                (self._report.skipped if blank else self._report.failed).append(entry)
                if source.kind == "bundle":
                    self._met.incomplete.add(root)  # the document of a bad line is unknown
                else:
                    self._met.seen.setdefault(source.document_id, str(source.path))
                    self._met.unreadable.add(str(source.path))
            elif isinstance(entry, Reading):
                self._take_over(entry, source, root)
            else:
                self._shown.add(entry)
                stored = self._consider(entry, source, root) or stored
        self._count(source)
        return stored

    def _count(self, source: Source) -> None:
        """Report the number of documents of a source."""
        self._report.documents_by_file.count(source.kind, str(source.path), self._taken)
        self._taken = 0

    def _take_over(self, reading: Reading, source: Source, root: str) -> None:
        """Keep a stored document whose source was not parsed again."""
        if self._may_be(reading.document, source, same_source=True):
            self._shown.add_reading(reading)
            self._report.count_reading(reading)
            self._report.unchanged += 1

    def _read_unshown(self, figures: Sequence[Source]) -> None:
        """Ingest pictures beside pages that no page shows."""
        for figure in figures:
            root = self._given.root_of(figure)
            found = self._shown.document_of(figure, self.readings.of(figure, root))
            if isinstance(found, ParsedDocument):
                self._report.unreferenced_pictures += 1
                self._consider(found, figure, root)
            elif found is not None and found.document:
                self._report.unreferenced_pictures += 1
                self._take_over(found, figure, root)
            elif found is not None:
                self._report.count_reading(found)
            self._count(figure)

    def _may_be(self, id_: str, source: Source, *, same_source: bool) -> bool:
        """Return whether a document may have its id; report the problem otherwise."""
        known, seen = self._known.get(id_), self._met.seen
        problem = ""
        if id_ in seen:
            problem = f"another document from {seen[id_]} has the same id"
        elif known and not same_source and not self._given.gives_way(known):
            problem = (
                f"the corpus has another document with this id, from {known.root}. Delete that one first, or replace "
                f"that folder by this one: --instead-of {known.root}"
            )
        seen.setdefault(id_, str(source.path))
        if self._most is not None and len(seen) > self._most:
            raise CorpusFull(self._report.corpus, self._most)
        if problem:
            self._report.failed.append(Problem(f"{source.path}: {id_}", problem))
        self._taken += not problem
        return not problem

    def _consider(self, parsed: ParsedDocument, source: Source, root: str) -> bool:
        """Queue a new or changed document; return whether a batch was stored."""
        id_ = parsed.document.id
        known = self._known.get(id_)
        same_source = known is not None and (known.root == root or known.source == parsed.document.source)
        if not self._may_be(id_, source, same_source=same_source):
            self.readings.drop(source, root)
            return False
        self._report.count_parts(parsed)
        made_by = self._enricher.made_by(parsed)
        if known and same_source and known.content_hash == stored_hash(parsed, made_by):
            self._report.warnings += [part.problem for part in parsed.skipped]
            self._report.unchanged += 1
            self.readings.keep(parsed, source, root, made_by)
            return False
        return self._storing.add(parsed, source, root)


def _as_text(path: Path) -> str:
    """Format a path for reports; bytes that are not UTF-8 become escapes."""
    return str(path).encode("utf-8", "backslashreplace").decode()
