"""Make links from annotations, addresses and references such as "Table 3"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.pdf.annotations import LinkAnnotation, Place
from backtrail.ingest.pdf.elements import Element
from backtrail.ingest.pdf.geometry import Frame, centre_in
from backtrail.ingest.pdf.headings import section_number
from backtrail.state.component import Link

MAX_REFERENCES = 50
"""Maximum of textual references of one component."""

_EXTERNAL = re.compile(r"^(https?|mailto|ftp|tel):", re.I)
_NUMBER = r"[A-Z]?\.?\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.\d+)+|[IVXLC]{1,8}\b|[A-Z]\b"
_REFERENCE = re.compile(
    r"\b(tables?|tab\.|figures?|figs?\.|sections?|sect?s?\.|chapters?|chap\.|appendix|appendices|abschnitte?|kapitel|"
    r"tabellen?|abbildung(?:en)?|abb\.)[\s\u00a0]*(?P<numbers>(?:" + _NUMBER + r")(?:(?:\s*(?:,|and|und|to|–|-|&)\s*)+"
    r"(?:" + _NUMBER + r"))*)", re.I)  # fmt: skip
_KINDS = {"tab": "table", "fig": "figure", "abb": "figure"}

Linked = Callable[[Element], tuple[str, str] | None]
"""The document and component of an element."""


class Targets:
    """Finds the target elements of links.

    Args:
        elements: all elements of the file, in reading order.
        frames: map from each page's coordinates to the displayed page.
    """

    def __init__(self, elements: Sequence[Element], frames: dict[int, Frame]) -> None:
        self._frames = frames
        self._by_page: dict[int, list[Element]] = {}
        self._labelled: dict[tuple[str, str], Element] = {}
        for element in elements:
            self._by_page.setdefault(element.page, []).append(element)
            if element.part.label is not None:
                label = element.part.label
                self._labelled.setdefault((label.kind, label.number), element)
            number = section_number(element.text) if element.heading is not None else None
            if number is not None:
                self._labelled.setdefault(("section", number.casefold()), element)

    def at(self, place: Place) -> Element | None:
        """Return the first element that does not end above a position, else the first of the next page."""
        frame = self._frames.get(place.page)
        if frame is None:
            return None
        top = 0.0 if place.y is None else frame.point(0.0, place.y)[1]
        on_page = self._by_page.get(place.page, [])
        below = [one for one in on_page if (one.part.box[1] + one.part.box[3]) / 2 >= top - 2.0]
        if below:
            # the first one directly below the position, in reading order
            return min(below, key=lambda one: (max(one.part.box[1] - top, 0.0) > 40.0, on_page.index(one)))
        after = sorted(page for page in self._by_page if page > place.page)
        return self._by_page[after[0]][0] if after else (on_page[-1] if on_page else None)

    def named(self, kind: str, number: str) -> Element | None:
        """Return the table, figure or section with a number."""
        return self._labelled.get((kind, number.casefold()))


def references(element: Element, targets: Targets) -> list[tuple[str, Element]]:
    """Return the textual references of a paragraph: each as written ("Table 3"), with its element."""
    found: list[tuple[str, Element]] = []
    for match in _REFERENCE.finditer(element.text):
        name = match.group(1)
        kind = _KINDS.get(name[:3].casefold(), "section")
        for number in re.findall(_NUMBER, match.group("numbers")):
            target = targets.named(kind, number)
            if target is not None and target is not element and len(found) < MAX_REFERENCES:
                found.append((f"{name} {number}", target))
    return found


def jump_link(
    jump: LinkAnnotation, anchor: str, element: Element, hrefs: LinkTargets, targets: Targets, linked: Linked
) -> Link | None:
    """Return the link of an annotation; None if it has no target or leads to its own component."""
    row, column = _cell_at(element, jump)
    if jump.address:
        if _EXTERNAL.match(jump.address):
            return Link(target=jump.address, anchor=anchor, row=row, column=column, kind="external")
        return hrefs.link(jump.address, anchor, row, column)
    if jump.file:
        page = f"#page={jump.place.page}" if jump.place else ""
        return hrefs.link(jump.file.replace("\\", "/") + page, anchor, row, column)
    there = targets.at(jump.place) if jump.place else None
    place = linked(there) if there is not None and there is not element else None
    if place is None:
        return None
    return Link(target=place[0], anchor=anchor, row=row, column=column, component=place[1])


def _cell_at(element: Element, jump: LinkAnnotation) -> tuple[int | None, int | None]:
    """Return the 0-based body row and column of a link's cell; header cells have no row."""
    table = element.part.table
    for cell in table.cells if table else ():
        if table is not None and centre_in(jump.box, cell.box):
            return (cell.row - table.heads, cell.column) if cell.row >= table.heads else (None, cell.column)
    return None, None
