"""Lists whose items are texts of their own: the limits of a program, say, with a few paragraphs each."""

from __future__ import annotations

from typing import Any

from backtrail.ingest.html.elements import NEVER_SHOWN

_LONG_LIST = 4_000
"""Letters of a list, above which prompts would leave out what its last items say. From 2,000 on a page of six short
paragraphs took so many places in a ranking that another page was no longer found."""
_LONG_ITEM = 250
"""Letters of its items on average, from which on they are some sentences each."""


def holds_long_items(element: Any) -> bool:
    """Whether each item of a list is to be a component, rather than the list."""
    if element.tag not in ("ul", "ol"):
        return False
    lengths = [letters(item) for item in element.iterchildren("li")]
    return len(lengths) > 1 and sum(lengths) > max(_LONG_LIST, _LONG_ITEM * len(lengths))


def letters(item: Any) -> int:
    """Letters that an item, or another element, shows."""
    shown = (part.text for part in item.iter() if part.tag not in NEVER_SHOWN and isinstance(part.tag, str))
    behind = (part.tail for part in item.iterdescendants())
    return sum(len(word) + 1 for text in (*shown, *behind) if text for word in text.split())
