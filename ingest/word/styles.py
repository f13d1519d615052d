"""What the styles and lists of a document mean: headings by level, titles, list items."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from backtrail.ingest.office.names import W, value

_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo) ?(\d)", re.I)
_LEVELS = 9
_MOST_ANCESTORS = 20


@dataclass(frozen=True)
class Style:
    """A paragraph style with what it inherits; ``level`` 1 to 9 is a heading's."""

    name: str = ""
    level: int = 0
    list_id: str = ""

    @property
    def is_contents(self) -> bool:
        """Whether it is an entry of a table of contents, which says only what headings say."""
        return self.name.startswith(("toc ", "table of figures"))


class Styles:
    """The styles of one document by their ids."""

    def __init__(self, root: Any | None) -> None:
        found = list(root.iter(f"{W}style")) if root is not None else []
        self._elements = {value(element, "styleId"): element for element in found}
        self._default = next((value(one, "styleId") for one in found if _is_default(one)), "")
        self._made: dict[str, Style] = {}

    def of(self, paragraph: Any) -> Style:
        """The style of a paragraph."""
        id_ = value(paragraph.find(f"{W}pPr/{W}pStyle")) or self._default
        if id_ not in self._made:
            self._made[id_] = self._make(id_)
        return self._made[id_]

    def _make(self, id_: str) -> Style:
        name, level, list_id = "", 0, ""
        for _ in range(_MOST_ANCESTORS):
            element = self._elements.get(id_)
            if element is None:
                break
            own = value(element.find(f"{W}name")).strip().lower()
            heading = _HEADING.fullmatch(own)
            name = name or own
            level = level or (int(heading.group(1)) if heading else outline_level(element))
            list_id = list_id or list_of(element)
            id_ = value(element.find(f"{W}basedOn"))
        return Style(name, 0 if name == "title" else level, list_id)


def _is_default(style: Any) -> bool:
    return value(style, "type") == "paragraph" and value(style, "default") in ("1", "true")


def list_of(element: Any) -> str:
    """The list that a paragraph or style names for itself; "0" means none."""
    return value(element.find(f"{W}pPr/{W}numPr/{W}numId"))


def outline_level(element: Any) -> int:
    """The level that a paragraph or style has in the outline, from 1; 0 for body text."""
    level = value(element.find(f"{W}pPr/{W}outlineLvl"))
    return int(level) + 1 if level.isdigit() and int(level) < _LEVELS else 0
