"""A process in which files are parsed: a parser that crashes, hangs or takes all memory ends it, and not the ingest.

Takes ``Folder``s, which it remembers, and ``Job``s. A job is told document by document; what OCR has to read on its
way is asked for, since one process counts what OCR may take. Its answer is what the file was parsed from.
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
"""Bytes of the process."""


class _AskedReader:
    """OCR at the other end of the line."""

    def __init__(self, fingerprint: str, line: Line) -> None:
        self.fingerprint, self._line = fingerprint, line

    def read_pages(self, pictures: Sequence[bytes]) -> list[PictureWords]:
        """The words of the scanned pages of one file, in order."""
        return self._line.ask(PagesOf(pictures))


_FOLDERS: dict[int, SiteMap] = {}


def _work(job: Job | Folder | None, line: Line) -> Traced | None:
    if job is None:  # asked whether we are there
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
    """Serve jobs until there are no more."""
    serve(_work, parse_seconds(), MEMORY)


if __name__ == "__main__":
    main()
