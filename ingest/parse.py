"""Parse discovered sources of any kind; problems are yielded, not raised."""

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
    """Yield the documents of a source, one for most files, and its problems.

    Args:
        source: file or bundle.
        pictures: OCR for scanned pages; None reports them.
    """
    yield from parse_lines(source) if source.kind == "bundle" else parse_file(source, pictures)


def parse_lines(source: Source, readings: RootParseCache | None = None) -> Iterator[ParsedDocument | Reading | Problem]:
    """Yield the documents of a bundle and its invalid lines.

    Args:
        readings: cache of an earlier parse; unchanged documents are yielded as readings.
    """
    try:
        for entry in parse_bundle(source.path, readings):
            yield Problem(f"{entry.file}:{entry.line}", entry.reason) if isinstance(entry, BadLine) else entry
    except (UnreadableSource, OSError) as error:
        yield Problem(str(source.path), reason_of(error).removeprefix(f"{source.path}: "))
