"""Parsing process: a parser that crashes, hangs or exhausts memory ends it, and not the ingest.

It receives ``Folder``s, which it keeps, and ``Job``s. It sends the documents of a job one by one and requests OCR from
the ingest, which limits its time. The answer is the trace of the file.
"""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Sequence
from typing import Any

from backtrail.ingest.parse_cache.trace_dependencies import Traced
from backtrail.ingest.parsing.file import read_file
from backtrail.ingest.parsing.jobs import Folder, Job, PagesOf, parse_seconds
from backtrail.ingest.picture_words import PictureWords
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.worker_process import Line, serve

MEMORY = 4 * 2**30
"""Memory limit of the process in bytes."""


class _AskedReader:
    """OCR that is requested from the ingest."""

    def __init__(self, fingerprint: str, line: Line) -> None:
        self.fingerprint, self._line = fingerprint, line

    def read_pages(self, pictures: Sequence[bytes]) -> list[PictureWords]:
        """Return the words of the scanned pages of one file, in order."""
        return self._line.ask(PagesOf(pictures))


_FOLDERS: dict[int, SiteMap] = {}


def _work(job: Job | Folder | None, line: Line) -> Traced | None:
    if job is None:  # check that the process is running
        return None
    if isinstance(job, Folder):
        _FOLDERS[job.number] = pickle.loads(job.site_map)
        return None
    source = dataclasses.replace(job.source, site_map=_FOLDERS.get(job.folder))
    traced: Any = None
    for entry in read_file(source, _AskedReader(job.reader, line) if job.reader else None):
        if isinstance(entry, Traced):
            traced = entry
        else:
            line(entry)
    return traced


def main() -> None:
    """Serve jobs until the pipe is closed."""
    serve(_work, parse_seconds(), MEMORY)


if __name__ == "__main__":
    main()
