"""The parse cache of a corpus, by root."""

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
    """The readings of every root of one ingest, opened when they are asked for.

    Args:
        corpus: the folder of the corpus.
        known: what the corpus holds.
        enricher: the models and OCR of this ingest; what others made is not taken over.
    """

    def __init__(self, corpus: Path, known: Mapping[str, Known], enricher: Enricher) -> None:
        self._corpus, self._known, self._enricher = corpus, known, enricher
        self._of_root: dict[str, RootParseCache] = {}

    def of(self, source: Source, root: str) -> RootParseCache:
        """What the last ingest read of a root, as far as the corpus still holds it and the same models take part."""
        if root not in self._of_root:
            models = [self._enricher.takers(with_pictures=pictured) for pictured in (False, True)]

            def is_held(reading: Reading) -> bool:
                known = self._known.get(reading.document)
                if not reading.document:  # a picture that becomes none
                    return True
                same = known is not None and known.content_hash == reading.stored and known.root == root
                return same and reading.models == models[bool(reading.contents)]

            reader = self._enricher.pictures
            fingerprint = reader.ocr.fingerprint if reader else ""
            self._of_root[root] = RootParseCache(self._corpus, root, is_held, source.site_map, fingerprint)
        return self._of_root[root]

    def keep(self, parsed: ParsedDocument, source: Source, root: str, made_by: str) -> None:
        """Note what a document was read from, and by which models it was made, once it is stored."""
        readings = self._of_root.get(root)
        if readings is not None:
            of_bundle = source.kind == "bundle"
            reading = reading_of(parsed, stored_hash(parsed, made_by), made_by, traced=not of_bundle)
            readings.keep(parsed.document.id if of_bundle else source_of_file(source.document_id), reading)

    def drop(self, source: Source, root: str) -> None:
        """Have a file parsed the next time, because not all of it was taken in."""
        if root in self._of_root and source.kind != "bundle":
            self._of_root[root].drop(source_of_file(source.document_id))

    def save(self) -> None:
        """Keep what was read, so that the next ingest parses only what differs from it."""
        for readings in self._of_root.values():
            readings.save()
