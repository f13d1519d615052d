"""Measure the cost of parsing a folder, in one process, in several, or in Ray.

    python benchmarks/parse_workers.py FOLDER --workers 1
    python benchmarks/parse_workers.py FOLDER --workers 2
    python benchmarks/parse_workers.py FOLDER --engine ray

Parses every file once, without OCR, and stores nothing. Prints the number of documents, wall and processor seconds
(this process and its children), and peak memory. Ray actors are not counted; their start is timed separately.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from contextlib import closing
from pathlib import Path

from backtrail.ingest.discover import discover
from backtrail.ingest.enrich import Enricher
from backtrail.ingest.parse_cache.corpus_cache import CorpusParseCache
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.parsing import sources
from backtrail.ingest.parsing.ray_actors import ParsingCopies, parsing_on
from backtrail.ingest.parsing.sources import SourceReader


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--engine", default="local", help="where to parse: local, ray or the address of a cluster")
    options = parser.parse_args()
    with parsing_on(options.engine) as copies:
        begun = time.monotonic()
        if copies is not None:
            sources._WORTH_RAY = 0.0  # use Ray even for small folders
            print(f"{copies.start()} copies, started within {time.monotonic() - begun:.1f} s")
        _parse(options, copies)


def _parse(options: argparse.Namespace, copies: ParsingCopies | None) -> None:
    started, documents = time.monotonic(), 0
    workers = None if copies else options.workers
    found = discover([options.folder])
    with tempfile.TemporaryDirectory() as corpus:
        readings = CorpusParseCache(Path(corpus), {}, Enricher())
        with closing(SourceReader(readings, workers=workers, copies=copies)) as reader:
            for begun in reader.read([(source, str(options.folder)) for source in found]):
                documents += sum(isinstance(entry, ParsedDocument) for entry in begun.entries)
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(
        f"{documents} documents of {len(found.sources)} files: {time.monotonic() - started:.1f} s wall, "
        f"{own.ru_utime + own.ru_stime:.1f} s of processor here and {others.ru_utime + others.ru_stime:.1f} in others, "
        f"peak {own.ru_maxrss / 1024:.0f} MB here, {others.ru_maxrss / 1024:.0f} MB of another"
    )


if __name__ == "__main__":
    main()
