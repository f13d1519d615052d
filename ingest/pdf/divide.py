"""Long files are divided by section into several documents, so that links between sections lead somewhere.

The rule (ours): a file of more than 20 pages whose outermost headings (or those below the only outermost one) are at
least two is divided at each of them. A section of less than 1,500 letters stays with the one before it. What stands
before the first is the file's own document, with its contents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from backtrail.ingest.pdf.elements import Element

PAGES = 20
"""A longer file is divided."""

LETTERS = 1500
"""Of the text of a section that is a document of its own."""

_MOST = 500  # documents of one file


@dataclass
class Division:
    """The elements of one document; ``name`` is its heading, empty for the file's own document."""

    name: str = ""
    level: int = -1
    elements: list[Element] = field(default_factory=list)


def divide(elements: Sequence[Element], pages: int) -> list[Division]:
    """The documents of a file in order; one for a short file."""
    whole = Division(elements=list(elements))
    level = _level(elements) if pages > PAGES else None
    if level is None:
        return [whole]
    divisions = [Division()]
    for element in elements:
        opens = element.heading is not None and element.heading <= level
        if opens and element.heading == level and len(divisions) <= _MOST:
            divisions.append(Division(element.text, level))
        divisions[-1].elements.append(element)
    kept = divisions[:1]
    for division in divisions[1:]:
        if _letters(division) < LETTERS and len(kept) > 1:
            kept[-1].elements += division.elements
        else:
            kept.append(division)
    return kept if len(kept) > 2 else [whole]


def _level(elements: Sequence[Element]) -> int | None:
    for level in (0, 1):
        if sum(element.heading == level for element in elements) >= 2:
            return level
    return None


def _letters(division: Division) -> int:
    cells = sum(len(c.text) for e in division.elements if e.part.table is not None for c in e.part.table.cells)
    return cells + sum(len(element.text) for element in division.elements)


def division_ids(document_id: str, divisions: Sequence[Division]) -> list[str]:
    """The id of each document: the file's own, then the file's with the words of the heading behind a slash."""
    ids = [document_id]
    for division in divisions[1:]:
        words = re.findall(r"\w+", division.name.casefold())
        slug = "-".join(words)[:60].strip("-") or "section"
        number, name = 1, f"{document_id}/{slug}"
        while name in ids:
            number += 1
            name = f"{document_id}/{slug}-{number}"
        ids.append(name)
    return ids
