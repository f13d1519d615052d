"""Messages between an ingest and its parsing processes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from backtrail.ingest.discover import Source

SECONDS_VARIABLE = "BACKTRAIL_PARSE_SECONDS"
"""Environment variable with the limit in whole seconds."""

_SECONDS = 600
"""Default processor seconds per document of a file. Pages of PDF files, drawings and binary Excel workbooks are read
in separate processes with lower limits."""

MORE_SECONDS = f"If it is just large, {SECONDS_VARIABLE} gives it more seconds"


def parse_seconds() -> int:
    """Return the processor seconds per document of a file, from the environment if valid."""
    given = os.environ.get(SECONDS_VARIABLE, "")
    return int(given) if given.isdecimal() and 0 < int(given) < 100_000 else _SECONDS


class Folder(NamedTuple):
    """Pickled site map of a folder, with its number in jobs."""

    number: int
    site_map: bytes


class Job(NamedTuple):
    """File to parse, the number of its folder (-1 for none), and the OCR ("" for none)."""

    source: Source
    folder: int
    reader: str


class PagesOf(NamedTuple):
    """Request to read scanned pages."""

    pictures: Sequence[bytes]
