"""Compare a parsed document with a known one: shares by kind of content, and order by edit distance."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator

from backtrail.ingest.parsed import ParsedDocument
from backtrail.state.component import Component
from fidelity.source import Grid, Known, Shown, Text

MEASURES = ("words", "cells", "headings", "captions", "pictures", "links", "order")
Score = dict[str, tuple[int, int]]
"""By measure: number found, and number in the source."""


def score(known: Known, parsed: ParsedDocument) -> Score:
    """Score a parsed document.

    A cell counts with the names of its row and column, a heading where a paragraph's section ends in it, a caption and
    a picture where they are together, a link with words and target (if internal: the component of the heading).
    """
    found: Score = {}
    read = Counter(word for component in parsed.components for word in _words(_all_text(component)))
    meant = Counter(word for text in _texts(known) for word in _words(text))
    found["words"] = (sum((read & meant).values()), sum(meant.values()))
    cells = set(_cells_read(parsed))
    wanted = [cell for grid in _blocks(known, Grid) for cell in _cells_meant(grid)]
    found["cells"] = (sum(cell in cells for cell in wanted), len(wanted))
    found["headings"] = _headings(known, parsed)
    captions = {component.table.caption for component in parsed.components if component.table}
    of_pictures = {component.image.blob: component.image for component in parsed.components if component.image}
    grids, pictures = list(_blocks(known, Grid)), list(_blocks(known, Shown))
    shown = [of_pictures.get(hashlib.sha256(one.png).hexdigest()) for one in pictures]
    held = sum(grid.caption in captions for grid in grids)
    held += sum((image is not None and one.caption in (image.caption, image.nearby)) or False
                for one, image in zip(pictures, shown, strict=True))  # fmt: skip
    found["captions"] = (held, len(grids) + len(pictures))
    found["pictures"] = (sum(image is not None for image in shown), len(pictures))
    found["links"] = _links(known, parsed)
    found["order"] = _order(known, parsed)
    return found


def _blocks(known: Known, kind: type) -> Iterator[object]:
    for section in known.sections:
        yield from (block for block in section.blocks if isinstance(block, kind))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _texts(known: Known) -> Iterator[str]:
    for section in known.sections:
        for block in section.blocks:
            if isinstance(block, Text):
                yield block.words + (f" {block.link.anchor}" if block.link else "")
            elif isinstance(block, Grid):
                yield " ".join(cell for row in block.rows for cell in row)


def _all_text(component: Component) -> str:
    if component.table is not None:
        return " ".join(cell for row in component.table.rows for cell in row)
    return component.text or ""


def _cells_meant(grid: Grid) -> Iterator[tuple[str, str, str]]:
    over = (
        ["", *(name for name, width in grid.groups for _ in range(width))] if grid.groups else [""] * len(grid.header)
    )
    names = [" / ".join(part for part in pair if part) for pair in zip(over, grid.header, strict=True)]
    for row in grid.rows:
        for name, cell in zip(names[1:], row[1:], strict=True):
            yield row[0], name, cell


def _cells_read(parsed: ParsedDocument) -> Iterator[tuple[str, str, str]]:
    for component in parsed.components:
        if component.table is not None:
            for row in component.table.rows:
                for name, cell in zip(component.table.header[1:], row[1:], strict=True):
                    yield row[0], name, cell


def _headings(known: Known, parsed: ParsedDocument) -> tuple[int, int]:
    right = total = 0
    sections = {component.text: component.section for component in parsed.components if component.text}
    for section in known.sections:
        for block in section.blocks:
            if isinstance(block, Text):
                total += 1
                place = next((path for text, path in sections.items() if text and text.startswith(block.words)), "")
                last = place.rpartition(" > ")[2]
                right += bool(last) and (last == section.heading or last == section.heading[:31])
    return right, total


def _links(known: Known, parsed: ParsedDocument) -> tuple[int, int]:
    read = {(link.anchor, link.target if link.kind == "external" else _lands(parsed, link.component or ""))
            for component in parsed.components for link in component.links}  # fmt: skip
    meant = [block.link for block in _blocks(known, Text) if isinstance(block, Text) and block.link]
    right = 0
    for link in meant:
        inside = link.target.startswith("#")
        right += any(
            (anchor == link.anchor and (target == link.target or (inside and target == link.target[1:][:31])))
            or (inside and anchor == link.anchor and target == link.target[1:])
            for anchor, target in read
        )  # fmt: skip
    return right, len(meant)


def _lands(parsed: ParsedDocument, fragment: str) -> str:
    """Return the heading of the component that a fragment points to."""
    id_ = parsed.fragments.get(fragment)
    component = next((one for one in parsed.components if one.id == id_), None)
    return component.section.rpartition(" > ")[2] if component else ""


def _order(known: Known, parsed: ParsedDocument) -> tuple[int, int]:
    """Return the number of blocks minus the edit distance of their orders, and the number of blocks."""
    meant = [_key(block) for section in known.sections for block in section.blocks]
    keys = {key: number for number, key in enumerate(meant)}
    read: list[int] = []
    for component in parsed.components:
        text = (
            component.table.caption if component.table else component.image.blob if component.image else component.text
        )
        number = next((n for key, n in keys.items() if text and text.startswith(key)), None)
        if number is not None and (not read or read[-1] != number):
            read.append(number)
    return max(0, len(meant) - _distance(list(range(len(meant))), read)), len(meant)


def _key(block: Text | Grid | Shown) -> str:
    if isinstance(block, Text):
        return block.words
    return block.caption if isinstance(block, Grid) else hashlib.sha256(block.png).hexdigest()


def _distance(first: list[int], second: list[int]) -> int:
    before = list(range(len(second) + 1))
    for row, one in enumerate(first, start=1):
        now = [row]
        for column, other in enumerate(second, start=1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (one != other)))
        before = now
    return before[-1]
