"""Parse the sources that were discovered, whatever their kind; a bad one is told of, not raised."""

from __future__ import annotations

from collections.abc import Iterator

from backtrail.ingest.bundles.parse import parse_bundle
from backtrail.ingest.discover import Source
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.jsonl import BadLine
from backtrail.ingest.parse_cache.parsed_file import Reading
from backtrail.ingest.parse_cache.root_cache import RootParseCache
from backtrail.ingest.parsed import ParsedDocument, Problem
from backtrail.ingest.parsing.file import PageReader, parse_file, reason_of


def parse(source: Source, pictures: PageReader | None = None) -> Iterator[ParsedDocument | Reading | Problem]:
    """The documents of a source, one for most files, and what of it cannot be read.

    Args:
        source: where it lies, and of which kind it is.
        pictures: OCR, which reads scanned pages; None reports them.
    """
    yield from parse_lines(source) if source.kind == "bundle" else parse_file(source, pictures)


def parse_lines(source: Source, readings: RootParseCache | None = None) -> Iterator[ParsedDocument | Reading | Problem]:
    """The documents of a bundle and its lines that cannot be used.

    Args:
        readings: what is known of it from before; a document that is as it was is given as its reading.
    """
    try:
        for entry in parse_bundle(source.path, readings):
            yield Problem(f"{entry.file}:{entry.line}", entry.reason) if isinstance(entry, BadLine) else entry
    except (UnreadableSource, OSError) as error:
        yield Problem(str(source.path), reason_of(error).removeprefix(f"{source.path}: "))
