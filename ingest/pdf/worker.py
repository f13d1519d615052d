"""Worker process that reads PDF files, so that a hostile file cannot end the ingest.

Takes jobs (path, pages to leave out) and answers each with the numbers of the pages that it begins, then with a
``Reading`` or the raised error.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from backtrail.ingest.pdf.reading import PAGE_SECONDS, Reading, read_file
from backtrail.ingest.worker_process import serve

SECONDS_VARIABLE = "BACKTRAIL_PDF_PAGE_SECONDS"
"""Environment variable that overrides ``PAGE_SECONDS``, in whole seconds."""

MEMORY = 4 * 2**30
"""Bytes of the process."""


def main() -> None:
    """Serve jobs until the input ends."""
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
