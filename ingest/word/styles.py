"""Styles and lists of a Word document: heading levels, titles, computed numbers of list items."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from backtrail.ingest.office.names import W, number_of, value

_HEADING = re.compile(r"heading ?(\d)", re.I)
_LEVELS = 9
_MOST_ANCESTORS = 20
_PLACE = re.compile(r"%(\d)")
_MOST = 3999


@dataclass(frozen=True)
class Style:
    """Paragraph style with inherited values: heading ``level`` 0 to 9, ``numbering`` as list and level."""

    name: str = ""
    level: int = 0
    numbering: tuple[str, int] | None = None

    @property
    def is_contents(self) -> bool:
        """Whether the style is for entries of a table of contents, which repeat headings, in one of 167 files."""
        return self.name.startswith(("toc ", "table of figures"))


class Styles:
    """Styles of one document by id."""

    def __init__(self, root: Any | None) -> None:
        found = list(root.iter(f"{W}style")) if root is not None else []
        self._elements = {value(element, "styleId"): element for element in found}
        self._default = next((value(one, "styleId") for one in found if _is_default(one)), "")
        self._made: dict[str, Style] = {}

    def of(self, paragraph: Any) -> Style:
        """Return the style of a paragraph."""
        id_ = value(paragraph.find(f"{W}pPr/{W}pStyle")) or self._default
        if id_ not in self._made:
            self._made[id_] = self._make(id_)
        return self._made[id_]

    def _make(self, id_: str) -> Style:
        name, level, numbering = "", 0, None
        for _ in range(_MOST_ANCESTORS):
            element = self._elements.get(id_)
            if element is None:
                break
            own = value(element.find(f"{W}name")).strip().lower()
            heading = _HEADING.fullmatch(own)
            name = name or own
            level = level or (int(heading.group(1)) if heading else outline_level(element))
            numbering = numbering or numbering_of(element)
            id_ = value(element.find(f"{W}basedOn"))
        return Style(name, 0 if name == "title" else level, numbering)


def _is_default(style: Any) -> bool:
    return value(style, "type") == "paragraph" and value(style, "default") in ("1", "true")


def numbering_of(element: Any) -> tuple[str, int] | None:
    """Return list and level set on a paragraph or style itself, else None; list "0" means no list."""
    list_ = value(element.find(f"{W}pPr/{W}numPr/{W}numId"))
    level = number_of(value(element.find(f"{W}pPr/{W}numPr/{W}ilvl")), _LEVELS - 1)
    return (list_, level) if list_ else None


def outline_level(element: Any) -> int:
    """Return the outline level of a paragraph or style, from 1; 0 for body text."""
    level = value(element.find(f"{W}pPr/{W}outlineLvl"))
    return int(level) + 1 if level.isdigit() and int(level) < _LEVELS else 0


class Numbering:
    """Counter of the items of a document's lists; call in the order of the text."""

    def __init__(self, root: Any | None) -> None:
        self._levels: dict[str, dict[int, Any]] = {}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        for abstract in root.iter(f"{W}abstractNum") if root is not None else ():
            levels = {number_of(value(level, "ilvl"), _LEVELS): level for level in abstract.iter(f"{W}lvl")}
            self._levels[value(abstract, "abstractNumId")] = levels
        lists = root.iter(f"{W}num") if root is not None else ()
        self._lists = {value(one, "numId"): value(one.find(f"{W}abstractNumId")) for one in lists}

    def next_label(self, list_: str, level: int) -> str | None:
        """Return the label of a list's next item; "" unless it is decimal, None if the list is undefined."""
        abstract = self._lists.get(list_, "")
        levels, counts = self._levels.get(abstract, {}), self._counts[abstract]
        if level not in levels:
            return None
        start = number_of(value(levels[level].find(f"{W}start")) or "1", _MOST)
        counts[level] = min(counts.get(level, start - 1) + 1, _MOST)
        for deeper in [other for other in counts if other > level]:
            del counts[deeper]
        if value(levels[level].find(f"{W}numFmt")) != "decimal":
            return ""
        text = value(levels[level].find(f"{W}lvlText"))
        return _PLACE.sub(lambda place: str(counts.get(int(place[1]) - 1, 1)), text)
