"""Which part of an included file is meant: lines by number, or a region between two marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent

_MARK = re.compile(
    r"\bANCHOR(?P<mdbook_end>_END)?:[ \t]*(?P<mdbook>[\w-]+)"
    r"|(?<!-)-+8<-+[ \t]*\[(?P<edge>start|end)(?::[ \t]*(?P<snippet>[\w-]+))?\]"
    r"|#[ \t]?(?P<region_end>end)?region\b[ \t]*(?P<region>[\w-]*)"
    r"|\[(?P<doc_end>/)?doc:(?P<doc>[\w-]+)\]"
)
_RANGE = re.compile(r"(-?\d{0,9})(?::|-)(-?\d{0,9})|(\d{1,9})")


@dataclass(frozen=True)
class Selection:
    """A region by name, or ranges of lines, 1-based and inclusive; the whole file if neither is given."""

    region: str = ""
    ranges: tuple[tuple[int, int], ...] = ()


def read_selection(written: str) -> Selection:
    """From ``name``, ``3``, ``2:10``, ``:10``, ``2:`` or several of them with commas between."""
    written = written.strip()
    if not written:
        return Selection()
    ranges: list[tuple[int, int]] = []
    for part in written.split(",")[:100]:
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            return Selection(region=written)
        first, last, only = match.groups()
        ranges.append((int(only), int(only)) if only else (int(first or 1), int(last or 10**9)))
    return Selection(ranges=tuple(ranges))


def select(text: str, selection: Selection) -> str | None:
    """The selected part without lines that hold marks; None if there is no such region."""
    lines = text.splitlines()
    if selection.ranges:
        numbers = [_bounds(first, last, len(lines)) for first, last in selection.ranges]
        lines = [line for start, stop in numbers for line in lines[start:stop]]
    if selection.region:
        kept = _region(lines, selection.region)
        return None if kept is None else dedent("\n".join(kept))
    return "\n".join(line for line in lines if not _is_mark(line))


def _bounds(first: int, last: int, count: int) -> tuple[int, int]:
    """From 1-based and inclusive, where negative numbers count from the end, to a slice."""
    start = first - 1 if first > 0 else max(count + first, 0)
    return start, last if last >= 0 else count + last + 1


def _region(lines: list[str], name: str) -> list[str] | None:
    kept: list[str] = []
    inside = found = False
    for line in lines:
        mark = _MARK.search(line) if _is_mark(line) else None
        if mark is None:
            if inside:
                kept.append(line)
        elif _name(mark) == name or (inside and _ends(mark) and not _name(mark)):
            inside = not _ends(mark)
            found = True
    return kept if found else None


def _is_mark(line: str) -> bool:
    return ("ANCHOR" in line or "8<" in line or "region" in line or "doc:" in line) and bool(_MARK.search(line))


def _name(mark: re.Match[str]) -> str:
    return mark["mdbook"] or mark["snippet"] or mark["region"] or mark["doc"] or ""


def _ends(mark: re.Match[str]) -> bool:
    return bool(mark["mdbook_end"] or mark["edge"] == "end" or mark["region_end"] or mark["doc_end"])
