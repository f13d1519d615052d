"""What the styles of a document mean: headings by level, titles, captions, lists, bold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from backtrail.ingest.word.names import W, is_on, value

_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo) ?(\d)", re.I)
_LEVELS = 9
_MOST_ANCESTORS = 20


@dataclass(frozen=True)
class Style:
    """A paragraph style with what it inherits; ``level`` 1 to 9 is a heading's, ``numbering`` its list and level."""

    name: str = ""
    level: int = 0
    numbering: tuple[str, int] | None = None
    bold: bool = False

    @property
    def is_title(self) -> bool:
        """Whether it is the document's title."""
        return self.name == "title"

    @property
    def is_caption(self) -> bool:
        """Whether it is a caption of a table or picture."""
        return self.name == "caption" or self.name.endswith(" caption") or self.name.startswith("caption ")

    @property
    def is_contents(self) -> bool:
        """Whether it is an entry of a table of contents, which says only what headings say."""
        return self.name.startswith(("toc ", "table of figures", "toc heading"))

    @property
    def is_list(self) -> bool:
        """Whether it makes a list item also without numbering of its own."""
        return self.name.startswith(("list bullet", "list number"))


class Styles:
    """The styles of one document by their ids."""

    def __init__(self, root: Any | None) -> None:
        self._elements: dict[str, Any] = {}
        self._default = ""
        for element in root.iter(f"{W}style") if root is not None else ():
            id_ = value(element, "styleId")
            self._elements[id_] = element
            if value(element, "type") == "paragraph" and value(element, "default") in ("1", "true"):
                self._default = id_
        self._made: dict[str, Style] = {}

    def of(self, paragraph: Any) -> Style:
        """The style of a paragraph."""
        id_ = value(paragraph.find(f"{W}pPr/{W}pStyle")) or self._default
        if id_ not in self._made:
            self._made[id_] = self._make(id_)
        return self._made[id_]

    def _make(self, id_: str) -> Style:
        name, level, numbering, bold = "", 0, None, None
        seen = 0
        while id_ in self._elements and seen < _MOST_ANCESTORS:
            element = self._elements[id_]
            own = value(element.find(f"{W}name")).strip().lower()
            name = name or own
            level = level or _level(own, element)
            numbering = numbering or numbering_of(element)
            weight = element.find(f"{W}rPr/{W}b")
            bold = is_on(weight) if bold is None and weight is not None else bold
            id_, seen = value(element.find(f"{W}basedOn")), seen + 1
        return Style(name, 0 if name == "title" else level, numbering, bool(bold))


def numbering_of(element: Any) -> tuple[str, int] | None:
    """List and level that a paragraph or style names for itself; list "0" means none."""
    properties = element.find(f"{W}pPr/{W}numPr")
    if properties is None:
        return None
    level = value(properties.find(f"{W}ilvl")) or "0"
    list_ = value(properties.find(f"{W}numId"))
    return (list_, min(int(level), _LEVELS - 1) if level.isdigit() else 0) if list_ else None


def _level(name: str, element: Any) -> int:
    found = _HEADING.fullmatch(name)
    if found:
        return int(found.group(1))
    return outline_level(element)


def outline_level(element: Any) -> int:
    """The level that a paragraph or style has in the outline, from 1; 0 for body text."""
    level = value(element.find(f"{W}pPr/{W}outlineLvl"))
    return int(level) + 1 if level.isdigit() and int(level) < _LEVELS else 0
