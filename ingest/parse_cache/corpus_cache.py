"""Parse cache of a corpus, by root."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from backtrail.ingest.discover import Source
from backtrail.ingest.enrich import Enricher
from backtrail.ingest.parse_cache.parsed_file import Reading, reading_of
from backtrail.ingest.parse_cache.root_cache import RootParseCache, source_of_file
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.prepare_document import stored_hash
from backtrail.tools.corpus.writing.writer import Known


class CorpusParseCache:
    """Parse caches of all roots of one ingest, opened on first use.

    Args:
        corpus: the folder of the corpus.
        known: documents of the corpus.
        enricher: models and OCR of this ingest; readings made with others are not used.
    """

    def __init__(self, corpus: Path, known: Mapping[str, Known], enricher: Enricher) -> None:
        self._corpus, self._known, self._enricher = corpus, known, enricher
        self._of_root: dict[str, RootParseCache] = {}

    def of(self, source: Source, root: str) -> RootParseCache:
        """Return the cache of a root, limited to documents still in the corpus and made with the same models."""
        if root not in self._of_root:
            models = [self._enricher.takers(with_pictures=pictured) for pictured in (False, True)]

            def is_held(reading: Reading) -> bool:
                known = self._known.get(reading.document)
                if not reading.document:  # a picture without a document
                    return True
                same = known is not None and known.content_hash == reading.stored and known.root == root
                return same and reading.models == models[bool(reading.contents)]

            reader = self._enricher.pictures
            fingerprint = reader.ocr.fingerprint if reader else ""
            self._of_root[root] = RootParseCache(self._corpus, root, is_held, source.site_map, fingerprint)
        return self._of_root[root]

    def keep(self, parsed: ParsedDocument, source: Source, root: str, made_by: str) -> None:
        """Record the files and models of a stored document."""
        readings = self._of_root.get(root)
        if readings is not None:
            of_bundle = source.kind == "bundle"
            reading = reading_of(parsed, stored_hash(parsed, made_by), made_by, traced=not of_bundle)
            readings.keep(parsed.document.id if of_bundle else source_of_file(source.document_id), reading)

    def drop(self, source: Source, root: str) -> None:
        """Drop a file whose documents were not all stored, so that the next ingest parses it."""
        if root in self._of_root and source.kind != "bundle":
            self._of_root[root].drop(source_of_file(source.document_id))

    def save(self) -> None:
        """Write the caches for the next ingest."""
        for readings in self._of_root.values():
            readings.save()
