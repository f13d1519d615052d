"""Read the sources of an ingest in order: from the parse cache, or parsed here or in parallel.

Parsing starts in this process, so that a small folder needs no others. Costly files are parsed in a separate process,
where memory is limited, as are all files if time cannot be limited here. All processes are started when, at the
current pace, the rest would take longer than starting them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backtrail.ingest.discover import Source
from backtrail.ingest.parse import parse_lines
from backtrail.ingest.parse_cache.corpus_cache import CorpusParseCache
from backtrail.ingest.parse_cache.parsed_file import Reading
from backtrail.ingest.parse_cache.root_cache import RootParseCache, source_of_file
from backtrail.ingest.parse_cache.trace_dependencies import Traced
from backtrail.ingest.parsed import ParsedDocument, Problem
from backtrail.ingest.parsing.file import PageReader, read_file
from backtrail.ingest.parsing.in_process import TookTooLong, bounded, can_bound
from backtrail.ingest.parsing.isolated_files import Costs
from backtrail.ingest.parsing.jobs import MORE_SECONDS, parse_seconds
from backtrail.ingest.parsing.ray_actors import ParsingCopies
from backtrail.ingest.parsing.workers import MOST, Entry, Workers, chosen_workers, named_workers
from backtrail.ingest.sites.served_site import ServedSite

_WORTH_WHILE = 3.0
"""Estimated seconds of remaining parsing that justify other processes (ours): each takes about one to start."""

_WORTH_RAY = 15.0
"""The same for Ray actors, which start more slowly (ours)."""

_AHEAD = 4
"""Files per process that are being parsed, or wait for earlier ones (ours)."""

SourceEntry = ParsedDocument | Reading | Problem


class OpenedSource(NamedTuple):
    """Source, its input folder, and its entries as they are read."""

    source: Source
    root: str
    entries: Iterable[SourceEntry]


class SourceReader:
    """Reader of an ingest's sources. Must be closed, since it may have processes.

    Args:
        readings: parse cache.
        pictures: OCR for scanned pages.
        workers: number of processes; None for the environment's or machine's. One disables parallel parsing.
        copies: Ray actors that parse instead, unless there is one worker. Mirrors of sites are parsed here, because
            nodes may not see the home.
    """

    def __init__(
        self,
        readings: CorpusParseCache,
        pictures: PageReader | None = None,
        workers: int | None = None,
        copies: ParsingCopies | None = None,
    ) -> None:
        self._readings, self._pictures, self._copies = readings, pictures, copies
        if workers is None:  # this machine's processors do not limit a cluster
            workers = chosen_workers() if copies is None or named_workers() else MOST
        self._count = workers
        self._workers: Workers | None = None
        self._apart: Workers | None = None
        self._seconds, self._costly = 0.0, Costs(())

    def read(self, sources: Sequence[tuple[Source, str]]) -> Iterator[OpenedSource]:
        """Yield every source in order, each with its input folder."""
        started: deque[OpenedSource] = deque()
        self._costly = Costs([source for source, _ in sources])
        for number, (source, root) in enumerate(sources):
            self._start_workers(number, len(sources) - number)
            started.append(OpenedSource(source, root, self._begin(source, root)))
            while len(started) > (_AHEAD * self._count if self._workers else 0):
                yield started.popleft()
        yield from started

    def close(self) -> None:
        """End the processes."""
        for workers in {self._workers, self._apart}:
            if workers is not None:
                workers.close()

    def _start_workers(self, seen: int, left: int) -> None:
        pace = self._seconds / max(1, seen)
        if self._workers is not None or self._count < 2 or pace * left <= self._worth:
            return
        if self._copies is None:
            self._workers = self._here()
        else:
            self._count = self._copies.start()
            self._workers = Workers(self._count, self._pictures, process=self._copies.process)

    @property
    def _worth(self) -> float:
        return _WORTH_WHILE if self._copies is None else _WORTH_RAY

    def _begin(self, source: Source, root: str) -> Iterable[SourceEntry]:
        readings = self._readings.of(source, root)
        if source.kind == "bundle":
            return parse_lines(source, readings)
        name = source_of_file(source.document_id)
        same = readings.unchanged(name, source.kind)
        if same is not None:
            return same
        here = self._copies is not None and isinstance(source.site_map, ServedSite)
        if self._workers is not None and not here:
            return _noted(self._workers.submit(source), readings, name)
        apart = source in self._costly or not can_bound()
        made = iter(self._here().submit(source)) if apart else self._bounded(source)
        return _noted(self._timed(made), readings, name)

    def _bounded(self, source: Source) -> Iterator[Entry]:
        """Parse a file in this process."""
        try:
            yield from bounded(read_file(source, self._pictures), parse_seconds())
        except TookTooLong:
            yield Problem(str(source.path), f"its parser took too long and was stopped. {MORE_SECONDS}")

    def _here(self) -> Workers:
        """Return this machine's processes. One file at a time starts only one."""
        self._apart = self._apart or Workers(self._count if self._copies is None else 1, self._pictures)
        return self._apart

    def _timed(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        while True:
            started = time.monotonic()
            entry = next(entries, None)
            self._seconds += time.monotonic() - started
            if entry is None:
                return
            yield entry


def _noted(entries: Iterable[Entry], readings: RootParseCache, name: str) -> Iterator[ParsedDocument | Problem]:
    """Yield entries; record the trace, and drop files with problems from the cache."""
    for entry in entries:
        if isinstance(entry, Traced):
            readings.finish(name, entry)
            continue
        if isinstance(entry, Problem):
            readings.drop(name)
        yield entry
