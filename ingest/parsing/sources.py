"""What the sources of an ingest hold, in their order: known from before, or parsed, here or side by side.

Parsing begins in this process, so that a small folder does not pay for starting others. A file that may be costly is
parsed in another from the first on, since only there its memory is bounded; so is every file where its time cannot be
bounded here. As many as may be are started
where, at the pace of what was parsed so far, the rest would take longer than starting them.
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
"""Seconds of parsing that have to be left for other processes to be started (ours): each takes about one to start."""

_WORTH_RAY = 15.0
"""The same where they are copies in Ray, which open everything on their nodes first (ours)."""

_AHEAD = 4
"""Files for each process that are under way, or parsed and wait for those before them (ours)."""

Held = ParsedDocument | Reading | Problem


class Begun(NamedTuple):
    """A source, the given folder that it was found in, and what it holds, as it comes."""

    source: Source
    root: str
    entries: Iterable[Held]


class SourceReader:
    """Reads the sources of one ingest. Close it: it may have processes of its own.

    Args:
        readings: what is known from before, and where it is noted for the next ingest.
        pictures: OCR for scanned pages.
        workers: how many processes parse; None takes the machine's, or the environment's. With one nothing is parsed
            side by side.
        copies: in Ray, which parse in their place; with one worker nothing is parsed there. What was fetched of sites
            lies in the home, which nodes need not see, and is parsed here.
    """

    def __init__(
        self,
        readings: CorpusParseCache,
        pictures: PageReader | None = None,
        workers: int | None = None,
        copies: ParsingCopies | None = None,
    ) -> None:
        self._readings, self._pictures, self._copies = readings, pictures, copies
        if workers is None:  # a cluster has more processors than this machine, which may have one
            workers = chosen_workers() if copies is None or named_workers() else MOST
        self._count = workers
        self._workers: Workers | None = None
        self._apart: Workers | None = None
        self._seconds, self._costly = 0.0, Costs(())

    def read(self, sources: Sequence[tuple[Source, str]]) -> Iterator[Begun]:
        """Every source in order, each with the given folder that it was found in."""
        begun: deque[Begun] = deque()
        self._costly = Costs([source for source, _ in sources])
        for number, (source, root) in enumerate(sources):
            self._start_workers(number, len(sources) - number)
            begun.append(Begun(source, root, self._begin(source, root)))
            while len(begun) > (_AHEAD * self._count if self._workers else 0):
                yield begun.popleft()
        yield from begun

    def close(self) -> None:
        """End the processes, if there are any."""
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

    def _begin(self, source: Source, root: str) -> Iterable[Held]:
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
        """What a file holds, parsed in this process."""
        try:
            yield from bounded(read_file(source, self._pictures), parse_seconds())
        except TookTooLong:
            yield Problem(str(source.path), f"its parser took too long, and was ended. {MORE_SECONDS}")

    def _here(self) -> Workers:
        """Processes of this machine. One is started while a file is given to them only when it is its turn."""
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
    """The same without what it was parsed from, which is noted; a file with a problem is parsed the next time."""
    for entry in entries:
        if isinstance(entry, Traced):
            readings.finish(name, entry)
            continue
        if isinstance(entry, Problem):
            readings.drop(name)
        yield entry
