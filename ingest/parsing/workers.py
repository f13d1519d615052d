"""Parse files in parallel processes and yield results in the order of submission.

One thread waits for each process. The numbers of submitted files and of waiting documents per file are limited, so
that memory is bounded.
"""

from __future__ import annotations

import dataclasses
import logging
import os
import pickle
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from backtrail.ingest.discover import Source
from backtrail.ingest.parse_cache.trace_dependencies import Traced
from backtrail.ingest.parsed import ParsedDocument, Problem
from backtrail.ingest.parsing.file import PageReader, read_file
from backtrail.ingest.parsing.jobs import MORE_SECONDS, Folder, Job, PagesOf
from backtrail.ingest.parsing.processes import CopyLost, ParsingProcess
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.worker_process import ENDED, WorkerProcess
from backtrail.tools.errors import SettingsError

_log = logging.getLogger(__name__)

VARIABLE = "BACKTRAIL_PARSE_WORKERS"
"""Environment variable with the number of parsing processes; 1 disables parallel parsing."""

MOST = 64
"""Maximum number of processes (ours)."""

_DEFAULT = 8
"""Default maximum (ours): for 2,000 real pages the ingest's own process needed a third of the parsing time of the
others, so that more would wait for it."""

_RUNS = -1
"""Marker among the known folder numbers: the process is running."""

_DOCUMENTS = 32
"""Documents of one file that may wait; then its process waits (ours)."""

_LOST = 3
"""Retries of a file after lost processes before the file is considered the cause (ours)."""

_ENDED = f"its parser took too long or too much memory, or crashed. {MORE_SECONDS}"

_GONE = (
    f"its parsing process was lost {_LOST + 1} times: a Ray node ended or killed it for its memory. Other files are "
    "parsed; the next ingest retries this one"
)

Entry = ParsedDocument | Problem | Traced


class _NotStarted(Exception):
    """No process can be started, for another reason than the file."""


def chosen_workers() -> int:
    """Return the number of processes: from the environment, else one per available processor, up to eight.

    Raises:
        SettingsError: the variable is no number from 1 to ``MOST``.
    """
    return named_workers() or min(_DEFAULT, _processors())


def named_workers() -> int | None:
    """Return the number of processes in the environment; None if unset.

    Raises:
        SettingsError: as ``chosen_workers``.
    """
    given = os.environ.get(VARIABLE, "").strip()
    if given and (not given.isdecimal() or not 0 < int(given) <= MOST):
        raise SettingsError(f"{VARIABLE} is {given!r}; give a whole number from 1 to {MOST}.")
    return int(given) if given else None


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS
        return os.cpu_count() or 1


class Handle:
    """Submitted file. Iterating yields its entries as they come.

    If no process can be started, iterating parses the file.
    """

    def __init__(self, source: Source, pictures: PageReader | None) -> None:
        self.source, self._pictures = source, pictures
        self.made: queue.Queue[Entry | BaseException | None] = queue.Queue(_DOCUMENTS)
        self.given = self.lost = 0

    def __iter__(self) -> Iterator[Entry]:
        while (entry := self.made.get()) is not None:
            if isinstance(entry, _NotStarted):
                yield from read_file(self.source, self._pictures)
            elif isinstance(entry, BaseException):
                raise entry
            else:
                yield entry


class Workers:
    """Pool of processes, each started when all others are busy.

    Args:
        count: maximum number of processes.
        pictures: OCR for scanned pages, used in this process, one file at a time.
        module: module that a process runs.
        process: returns the process of a number; None for processes on this machine.
    """

    def __init__(
        self,
        count: int,
        pictures: PageReader | None = None,
        module: str = "backtrail.ingest.parsing.worker",
        process: Callable[[int], ParsingProcess] | None = None,
    ) -> None:
        self.count, self._pictures = count, pictures
        self._process_of = process or (lambda _: WorkerProcess(module))
        self._waiting: deque[Handle] = deque()
        self._changed = threading.Condition()
        self._reading = threading.Lock()
        self._idle = 0
        self._closed = self._told = False
        self._threads: list[threading.Thread] = []
        self._processes: list[ParsingProcess] = []
        self._folders: dict[int, tuple[int, SiteMap, bytes]] = {}

    def submit(self, source: Source) -> Handle:
        """Submit a file. Files are started in order of submission."""
        handle = Handle(source, self._pictures)
        with self._changed:
            self._waiting.append(handle)
            if self._idle < len(self._waiting) and len(self._threads) < self.count:
                given = (len(self._threads),)
                thread = threading.Thread(target=self._serve, args=given, name="parsing", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify()
        return handle

    def close(self) -> None:
        """End all processes; unfinished files are lost."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for process in list(self._processes):
            process.kill()
        for thread in self._threads:
            thread.join(10)

    def _serve(self, number: int) -> None:
        """Thread that sends its process one file after the other."""
        process, known = self._process_of(number), set[int]()
        self._processes.append(process)
        try:
            while (handle := self._next()) is not None:
                while (failed := self._tried(handle, process, known)) is not None:
                    process.stop()
                    known.clear()
                    if not isinstance(failed, CopyLost):
                        self._give(handle, failed)
                        break
                self._give(handle, None)
        finally:
            process.close()

    def _tried(self, handle: Handle, process: ParsingProcess, known: set[int]) -> Problem | BaseException | None:
        """Parse a file and return the failure, if any. ``CopyLost`` means that the file must be retried."""
        path = str(handle.source.path)
        try:
            self._started(process, known)
            self._parse(handle, process, known)
        except CopyLost as lost:
            handle.lost += 1
            return Problem(path, _GONE) if handle.lost > _LOST or self._closed else lost
        except ENDED:
            return Problem(path, _ENDED)
        except BaseException as error:  # noqa: BLE001 - raised where the result is read
            return error
        return None

    def _next(self) -> Handle | None:
        with self._changed:
            self._idle += 1
            while not self._waiting and not self._closed:
                self._changed.wait()
            self._idle -= 1
            return None if self._closed else self._waiting.popleft()

    def _started(self, process: ParsingProcess, known: set[int]) -> None:
        """Start a process unless it is running, and wait for its first answer.

        Raises:
            _NotStarted: the process cannot be started.
        """
        if known:
            return
        try:
            process.send(None)
            process.receive()
        except (*ENDED, OSError) as error:
            if not self._told:
                _log.warning("Parsing processes cannot be started; files are parsed one by one: %r", error)
            self._told = True
            raise _NotStarted from error
        known.add(_RUNS)
        if self._closed:
            raise EOFError

    def _parse(self, handle: Handle, process: ParsingProcess, known: set[int]) -> None:
        """Parse a file and queue its entries; on a retry only those not queued yet."""
        folder = self._folder(handle.source.site_map)
        if folder is not None and folder.number not in known:
            process.send(folder)
            answer = process.receive()
            if isinstance(answer, Exception):
                raise answer
            known.add(folder.number)
        reader = self._pictures.fingerprint if self._pictures else ""
        bare = dataclasses.replace(handle.source, site_map=None)
        process.send(Job(bare, -1 if folder is None else folder.number, reader))
        skipped = handle.given
        while True:
            answer = process.receive()
            if isinstance(answer, PagesOf):
                process.send(self._read(answer))
            elif isinstance(answer, Exception):
                raise answer
            else:
                if skipped > 0:
                    skipped -= 1
                    continue
                self._give(handle, answer)
                handle.given += 1
                if isinstance(answer, Traced):
                    return

    def _folder(self, site_map: SiteMap | None) -> Folder | None:
        if site_map is None:
            return None
        with self._changed:
            if id(site_map) not in self._folders:
                entry = len(self._folders), site_map, pickle.dumps(site_map, pickle.HIGHEST_PROTOCOL)
                self._folders[id(site_map)] = entry
            number, _, pickled = self._folders[id(site_map)]
        return Folder(number, pickled)

    def _read(self, pages: PagesOf) -> Any:
        assert self._pictures is not None  # workers request OCR only if there is one
        with self._reading:
            return self._pictures.read_pages(pages.pictures)

    def _give(self, handle: Handle, entry: Entry | BaseException | None) -> None:
        """Queue an entry as soon as there is room, unless the pool is closed."""
        while not self._closed:
            try:
                handle.made.put(entry, timeout=0.5)
                return
            except queue.Full:
                continue
