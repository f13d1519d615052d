"""Which part of an included file is meant: lines by number, or a region between two marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent

_MARK = re.compile(
    r"\bANCHOR(?P<a>_END)?:[ \t]*(?P<anchor>[\w-]+)"
    r"|(?<!-)-+8<-+[ \t]*\[(?:start|(?P<b>end))(?::[ \t]*(?P<cut>[\w-]+))?\]"
    r"|#[ \t]?(?P<c>end)?region\b[ \t]*(?P<region>[\w-]*)|\[(?P<d>/)?doc:(?P<doc>[\w-]+)\]"
)
_RANGE = re.compile(r"(-?\d{0,9})(?::|-)(-?\d{0,9})|(\d{1,9})")


@dataclass(frozen=True)
class Selection:
    """A region by name, or ranges of lines, 1-based and inclusive; the whole file if neither is given."""

    region: str = ""
    ranges: tuple[tuple[int, int], ...] = ()


def read_selection(written: str) -> Selection:
    """From ``name``, ``3``, ``2:10``, ``:10``, ``2:`` or several of them with commas between."""
    ranges: list[tuple[int, int]] = []
    for part in written.strip().split(",")[:100] if written.strip() else ():
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            return Selection(region=written.strip())
        first, last, only = match.groups()
        ranges.append((int(only), int(only)) if only else (int(first or 1), int(last or 10**9)))
    return Selection(ranges=tuple(ranges))


def select(text: str, selection: Selection) -> str | None:
    """The selected part without lines that hold marks; None if there is no such region."""
    lines = text.splitlines()
    if selection.region:
        return _region(lines, selection.region)
    if selection.ranges:
        numbers = [_bounds(first, last, len(lines)) for first, last in selection.ranges]
        lines = [line for start, stop in numbers for line in lines[start:stop]]
    return "\n".join(line for line in lines if not _MARK.search(line))


def _bounds(first: int, last: int, count: int) -> tuple[int, int]:
    """From 1-based and inclusive, where negative numbers count from the end, to a slice."""
    start = first - 1 if first > 0 else max(count + first, 0)
    return start, last if last >= 0 else count + last + 1


def _region(lines: list[str], name: str) -> str | None:
    kept: list[str] = []
    inside = found = False
    for line in lines:
        mark = _MARK.search(line)
        if mark is None:
            kept += [line] if inside else []
            continue
        named = mark["anchor"] or mark["cut"] or mark["region"] or mark["doc"] or ""
        ends = bool(mark["a"] or mark["b"] or mark["c"] or mark["d"])
        if named == name or (inside and ends and not named):
            inside, found = not ends, True
    return dedent("\n".join(kept)) if found else None
