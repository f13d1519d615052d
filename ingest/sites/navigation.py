"""The order of a site's pages, from the nested entries of its configuration."""

from __future__ import annotations

from typing import Any

from backtrail.ingest.sites.configuration import inside
from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.site import NavEntry

MOST_ENTRIES = 100_000
_DEEPEST = 20


def nested_entries(value: Any, folder: str) -> tuple[NavEntry, ...]:
    """The entries of ``nav: [Title: page.md, Section: [page.md, …]]`` in order, sections before what they hold."""
    entries: list[NavEntry] = []
    pending: list[tuple[str, Any, int]] = [("", entry, 0) for entry in _reversed(value)]
    while pending and len(entries) < MOST_ENTRIES:
        title, entry, depth = pending.pop()
        if isinstance(entry, dict):
            pending += [(plain(name), part, depth) for name, part in _reversed(list(entry.items()))]
        elif isinstance(entry, list):
            if depth < _DEEPEST:
                entries.append(NavEntry(title, "", depth))
                pending += [("", part, depth + 1) for part in _reversed(entry)]
        elif (path := plain(entry)) and "://" not in path:
            entries.append(NavEntry(title, inside(folder, path) or "", depth))
    return tuple(entries)


def _reversed(value: Any) -> list[Any]:
    return value[:MOST_ENTRIES][::-1] if isinstance(value, list) else []
