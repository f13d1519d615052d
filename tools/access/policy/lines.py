"""Find the line of a key in a TOML file, which the standard parser does not report."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TABLE = re.compile(r"\s*\[([^\[\]#]+)\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"'*-]+)\s*=")


def lines_of_keys(text: str) -> dict[str, int]:
    """The first line of each table and key, counted from 1, by dotted name. Linear in the text."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _TABLE.match(line):
            table = _plain(header[1])
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault(f"{table}.{_plain(key[1])}".lstrip("."), number)
    return found


def line_of(place: Sequence[str | int], lines: dict[str, int]) -> int:
    """The line of a key, or of the nearest table around it; 1 where none is written out."""
    parts = [str(part) for part in place]
    for length in range(len(parts), 0, -1):
        if number := lines.get(".".join(parts[:length])):
            return number
    return 1


def _plain(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))
