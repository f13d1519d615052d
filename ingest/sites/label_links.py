"""Tags and dates of a page's front matter, as links of its first component."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from backtrail.ingest.sites.front_matter import plain
from backtrail.state.component import Link

MOST_TAGS, TAG_CHARACTERS = 50, 100
"""Tags that are kept of a page, and characters of each (ours)."""
_TAGS = ("tags", "categories", "category", "keywords")
_DAY = re.compile(r"\d{4}(-\d\d){1,2}(?=\D|$)")


def label_links(values: Mapping[str, Any]) -> list[Link]:
    """Return links to the tags, categories and keywords in front matter, and to its day or month as ISO text."""
    found: dict[str, None] = {}
    for given in (values[name] for name in _TAGS if name in values):
        entries = given if isinstance(given, list) else plain(given).split(",")
        found |= dict.fromkeys(tag[:TAG_CHARACTERS] for entry in entries if (tag := plain(entry)))
    tags = [Link(target=tag, kind="tag") for tag in list(found)[:MOST_TAGS]]
    return tags + [Link(target=day, kind="date") for day in _days(values.get("date"))]


def _days(date: Any) -> list[str]:
    date = date.get("created") if isinstance(date, dict) else date
    written = date.isoformat() if isinstance(date, dt.date) else plain(date)
    day = _DAY.match(written)
    return [day[0]] if day else []
