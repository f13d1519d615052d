"""The process in which PDF files are read: what a hostile file does to pdfium ends it, and not the ingest.

Takes jobs (path, pages to leave out) and answers each with the numbers of the pages it enters, then with a
``Reading``, or the error that it raised.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from backtrail.ingest.pdf.reading import PAGE_SECONDS, Reading, read_file
from backtrail.ingest.worker_process import serve

SECONDS_VARIABLE = "BACKTRAIL_PDF_PAGE_SECONDS"
"""Environment variable that sets it otherwise, in whole seconds."""

MEMORY = 4 * 2**30
"""Bytes of the process."""


def main() -> None:
    """Serve jobs until there are no more."""
    serve(_read, _page_seconds(), MEMORY)


def _page_seconds() -> int:
    given = os.environ.get(SECONDS_VARIABLE, "")
    return int(given) if given.isdecimal() and 0 < int(given) < 100_000 else PAGE_SECONDS


def _read(job: tuple[Path, dict[int, str]], entered: Callable[[int], None]) -> Reading:
    path, left_out = job
    entered(0)
    return read_file(path, left_out, entered, _page_seconds())


if __name__ == "__main__":
    main()
