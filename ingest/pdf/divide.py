"""Divide long files by section into several documents, so that links between sections have targets.

The rule (ours): a file of more than 20 pages is divided at the headings of the outermost level for which no section has
more than two thirds of the text. A section of less than 1,500 letters is joined to the one before it. The text before
the first section is the file's own document, with a table of contents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from backtrail.ingest.divide import section_id
from backtrail.ingest.pdf.elements import Element

PAGES = 20
"""Longer files are divided."""

LETTERS = 1500
"""Minimum of letters of a section that becomes a document; without it 22 of 26 files have 629 more documents."""

_MOST = 500  # documents of one file
_LEVELS = 2  # of headings that are tried; a third changes none of 26 files, with one a section has most of 15
_MOST_SHARE = 2 / 3  # off: 12 of 26 files have a section with more


@dataclass
class Division:
    """The elements of one document; ``name`` is its heading, empty for the file's own document."""

    name: str = ""
    level: int = -1
    elements: list[Element] = field(default_factory=list)


def divide(elements: Sequence[Element], pages: int) -> list[Division]:
    """Return the divisions of a file in order; one for a short file."""
    whole = Division(elements=list(elements))
    ways = [_at(elements, level) for level in range(_LEVELS)] if pages > PAGES else []
    ways = [way for way in ways if len(way) > 2]
    most = _MOST_SHARE * _letters(whole)
    return next((way for way in ways if max(map(_letters, way)) <= most), ways[0] if ways else [whole])


def _at(elements: Sequence[Element], level: int) -> list[Division]:
    """Divide elements at every heading of a level."""
    divisions = [Division()]
    for element in elements:
        if element.heading == level and len(divisions) <= _MOST:
            divisions.append(Division(element.text, level))
        divisions[-1].elements.append(element)
    kept = divisions[:1]
    for division in divisions[1:]:
        if _letters(division) < LETTERS and len(kept) > 1:
            kept[-1].elements += division.elements
        else:
            kept.append(division)
    return kept


def _letters(division: Division) -> int:
    cells = sum(len(c.text) for e in division.elements if e.part.table is not None for c in e.part.table.cells)
    return cells + sum(len(element.text) for element in division.elements)


def division_ids(document_id: str, divisions: Sequence[Division]) -> list[str]:
    """Return the id of each document: the file's own, then those of its sections."""
    ids = [document_id]
    for division in divisions[1:]:
        ids.append(section_id(document_id, division.name, ids))
    return ids
