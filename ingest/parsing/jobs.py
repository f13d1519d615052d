"""What an ingest and the processes that parse for it say to each other."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from backtrail.ingest.discover import Source

SECONDS_VARIABLE = "BACKTRAIL_PARSE_SECONDS"
"""Environment variable that sets it otherwise, in whole seconds."""

_SECONDS = 600
"""Of the processor, for one document of a file. Pages of PDF files, drawings and workbooks of Excel's binary formats
are read in processes of their own, which have less."""

MORE_SECONDS = f"Where it is just large, {SECONDS_VARIABLE} gives it more seconds"


def parse_seconds() -> int:
    """Seconds of the processor that one document of a file may take, as the environment says if it says a number."""
    given = os.environ.get(SECONDS_VARIABLE, "")
    return int(given) if given.isdecimal() and 0 < int(given) < 100_000 else _SECONDS


class Folder(NamedTuple):
    """What was found in a folder, pickled, by a number that jobs name it by."""

    number: int
    site_map: bytes


class Job(NamedTuple):
    """A file without its folder, the number of that (-1 for none), and the OCR that there is ("" for none)."""

    source: Source
    folder: int
    reader: str


class PagesOf(NamedTuple):
    """Scanned pages that have to be read."""

    pictures: Sequence[bytes]
