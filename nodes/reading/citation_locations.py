"""Locations of citations as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.state.answer import Citation, DuplicateSource
from backtrail.state.evidence import EvidenceLocator

RANGES_SHOWN = 12


def place(modality: str, locator: EvidenceLocator) -> str:
    """Return the position of a citation in its document; rows and sentences count from 1 for people."""
    parts = [modality]
    around = "around " if locator.get("around") else ""
    parts += [f"{part} {locator.get(part)}" for part in ("page", "slide", "sheet", "cell") if part in locator]
    if "source_row" in locator:
        parts.append(f"{around}row {locator['source_row']}")
    elif "row" in locator:
        parts.append(f"{around}row {locator['row'] + 1}")
    elif "source_rows" in locator:
        parts.append(_ranges(locator["source_rows"]))
    elif "rows" in locator:
        parts.append(_ranges([[first + 1, last + 1] for first, last in locator["rows"]]))
    if "columns" in locator and "column_names" in locator:
        parts.append(_columns(locator["columns"], locator["column_names"]))
    if "sentence" in locator:
        parts.append(f"{around}sentence {locator['sentence'] + 1}")
    if "blob" in locator:
        parts.append(f"picture {locator['blob'][:12]}")
    if "fragment" in locator:
        parts.append(f"#{locator['fragment']}")
    if "url" in locator:
        parts.append(locator["url"])
    if "relation" in locator:
        parts.append(f"relation {locator['relation']}")
    return ", ".join(parts)


def _ranges(ranges: Sequence[Sequence[int]]) -> str:
    """Return "rows 2–5, 9"; long lists end in the number of further ranges."""
    shown = [str(first) if first == last else f"{first}–{last}" for first, last in ranges[:RANGES_SHOWN]]
    more = len(ranges) - len(shown)
    several = len(ranges) > 1 or ranges[0][0] != ranges[0][1]
    return f"row{'s' if several else ''} {', '.join(shown)}" + (f" and {more} more ranges" if more else "")


def _columns(columns: Sequence[int], names: Sequence[str]) -> str:
    """Return "columns Country, Sales"; one without a name by its number from 1."""
    shown = [name or str(column + 1) for column, name in zip(columns, names, strict=True)]
    return f"column{'s' if len(shown) > 1 else ''} {', '.join(shown)}"


def titled(citation: Citation | DuplicateSource) -> str:
    """Return document and section, as "Titan › Orbit"; a section equal to the title is dropped."""
    section = citation["section"]
    return f"{citation['title']} › {section}" if section and section != citation["title"] else citation["title"]


def also_at(citation: Citation) -> str:
    """Return the duplicates: "Moons (text); Rings › Orbit (text, page 3); and 4 more", or ""."""
    others = [f"{titled(one)} ({place(one['modality'], one['locator'])})" for one in citation.get("duplicates", [])]
    if more := citation.get("more_duplicates", 0):
        others.append(f"and {more} more")
    return "; ".join(others)


def quoted(citation: Citation) -> str:
    """Format one line: "Titan › Orbit (text, sentence 2): “Titan orbits Saturn.”"."""
    where = f"{titled(citation)} ({place(citation['modality'], citation['locator'])})"
    quote = citation["quote"].replace("\n", " / ")  # rows of a table
    return f"{where}: “{quote}”" if quote else where
