"""Keep boxes of short blocks together: event entries, nutrition labels, name-value lists.

Each line of such a box is a block, and meaningless by itself: "10:00 AM", "158", "g". Turned off, 68 of 166 pages of
the development set of WCXB have 803 more components, by eye worse on 10 of 12.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backtrail.ingest.html.elements import BLOCKS, ENTRY, LABEL, is_skipped
from backtrail.ingest.html.rewrites.tree import elements, said

_LARGEST = 500
"""Maximum letters of a box that becomes one text (ours). With 1,000, lists of choices become one on 3 of 166 pages."""
_ROW = 80
"""Maximum letters of an inner box that becomes one line (ours). With 0, names and values are on lines of their own on
37 of 166 pages."""
_BOXES = frozenset({"div", "section", "header", "address", "center", "fieldset", "form", "aside", "article", "main"})
_LINES = frozenset({"p", "span", "legend"})
_OTHER = (BLOCKS | {"img", "figure", "math"}) - _BOXES - _LINES
"""Elements with lines, rows or pictures; a box that contains one is read block by block."""


@dataclass
class _Box:
    lines: int = 0
    letters: int = 0
    plain: bool = True


def mark_entries(body: Any) -> None:
    """Mark the largest boxes of short blocks and join each small box in them to a line, in place."""
    boxes: dict[Any, _Box] = {}
    for element in reversed(elements(body)):
        if element is body or not is_skipped(element):
            boxes[element] = _measured(element, boxes)
    stack = [body]
    while stack:
        element = stack.pop()
        box = boxes.get(element)
        if box is None:
            continue
        if element is not body and element.tag in _BOXES and box.plain and box.lines > 1 and box.letters <= _LARGEST:
            element.set(ENTRY, "")
            _make_lines(element, boxes)
        else:
            stack.extend(part for part in element if isinstance(part.tag, str))


def _measured(element: Any, boxes: dict[Any, _Box]) -> _Box:
    inside = [(part, boxes[part]) for part in element if part in boxes]
    if not any(part.tag in BLOCKS or found.lines for part, found in inside):
        text = said(element) if element.tag in BLOCKS else ""
        plain = all(found.plain for _, found in inside) and element.tag not in _OTHER
        return _Box(int(bool(text)), len(text), plain)
    loose = [run for run in (element.text, *(part.tail for part in element)) if run and run.strip()]
    measured = _Box(len(loose), sum(map(len, loose)), element.tag not in _OTHER)
    for part, found in inside:
        measured.lines += found.lines
        measured.letters += found.letters
        measured.plain = measured.plain and found.plain and part.get(LABEL) is None
    return measured


def _make_lines(entry: Any, boxes: dict[Any, _Box]) -> None:
    """Make one line of each small box in an entry."""
    stack = [part for part in entry if part in boxes]
    while stack:
        element = stack.pop()
        box = boxes[element]
        if box.lines < 2 or box.letters > _ROW:
            stack.extend(part for part in element if part in boxes)
            continue
        for part in elements(element):
            if part is not element and part.tag in BLOCKS and part in boxes:
                part.tag = "span"
                part.text, part.tail = f" {part.text or ''}", f" {part.tail or ''}"
