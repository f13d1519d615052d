"""Detect lists whose items are long texts, such as limits of a program with a few paragraphs each."""

from __future__ import annotations

from typing import Any

from backtrail.ingest.html.elements import NEVER_SHOWN

_LONG_LIST = 4_000
"""Minimum letters of such a list; prompts would cut off its last items. With 2,000, a page of six short paragraphs
displaced another page from a ranking."""
_LONG_ITEM = 250
"""Minimum average letters of its items, i.e. some sentences each."""


def holds_long_items(element: Any) -> bool:
    """Return whether the items of a list become components, instead of the list."""
    if element.tag not in ("ul", "ol"):
        return False
    lengths = [letters(item) for item in element.iterchildren("li")]
    return len(lengths) > 1 and sum(lengths) > max(_LONG_LIST, _LONG_ITEM * len(lengths))


def letters(item: Any) -> int:
    """Count the visible letters of an element."""
    shown = (part.text for part in item.iter() if part.tag not in NEVER_SHOWN and isinstance(part.tag, str))
    behind = (part.tail for part in item.iterdescendants())
    return sum(len(word) + 1 for text in (*shown, *behind) if text for word in text.split())
