"""What an ingest and the processes that parse for it say to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from backtrail.ingest.discover import Source

SECONDS_VARIABLE = "BACKTRAIL_PARSE_SECONDS"
"""Environment variable that sets it otherwise, in whole seconds."""


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
