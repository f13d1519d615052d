"""One page of a PDF: its tables, paragraphs, pictures and links, each with its box."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pypdfium2

from backtrail.ingest.pdf_blocks import Block, Box, centre_in, read_blocks
from backtrail.ingest.pdf_pictures import PagePicture, render_pictures
from backtrail.state.component import Link, Table

_FIGURE = re.compile(r"^(fig(ure|\.)?|abb(ildung|\.)?|plate|photo|image)\s*\.?\s*[\dA-Z]", re.I)
_TABLE = re.compile(r"^(table|tab\.|tabelle)\s*[\dA-Z]", re.I)
_CAPTION_DISTANCE = 45.0
_EXTERNAL = re.compile(r"^(https?|mailto|ftp|tel):", re.I)


@dataclass
class PagePart:
    """One future component and where it stands."""

    box: Box
    block: Block | None = None
    table: Table | None = None
    picture: PagePicture | None = None
    caption: str = ""
    links: list[Link] = field(default_factory=list)
    cells: list[list[Box | None]] = field(default_factory=list)


def read_page(page: Any, rendered: pypdfium2.PdfPage) -> tuple[list[PagePart], list[str]]:
    """The parts of a page in reading order, and what was left out."""
    tables = _tables(page)
    words = [word for word in _words(page) if not any(centre_in(_box(word), table.box) for table in tables)]
    blocks = read_blocks(words)
    pictures, notes = render_pictures(page, rendered)
    shown = [PagePart(picture.box, picture=picture) for picture in pictures]
    for part in shown:
        part.caption = _take_caption(part.box, blocks, _FIGURE, below_only=True)
    for part in tables:
        part.caption = _take_caption(part.box, blocks, _TABLE, below_only=False)
    parts = _merged([PagePart(block.box, block=block) for block in blocks], tables + shown)
    _add_links(page, parts, words)
    return parts, notes


def _words(page: Any) -> list[dict[str, Any]]:
    return page.extract_words(use_text_flow=False, keep_blank_chars=False, x_tolerance_ratio=0.15)


def _box(thing: dict[str, Any]) -> Box:
    return float(thing["x0"]), float(thing["top"]), float(thing["x1"]), float(thing["bottom"])


def _tables(page: Any) -> list[PagePart]:
    """Ruled tables; a frame around a single cell, row or column is none."""
    found: list[PagePart] = []
    for table in page.find_tables():
        rows = [[" ".join((cell or "").split()) for cell in row] for row in table.extract()]
        width = max((len(row) for row in rows), default=0)
        if len(rows) < 2 or width < 2 or not any(cell for row in rows for cell in row):
            continue
        padded = [tuple(row + [""] * (width - len(row))) for row in rows]
        x0, top, x1, bottom = table.bbox
        part = PagePart((float(x0), float(top), float(x1), float(bottom)))
        part.table = Table(header=padded[0], rows=tuple(padded[1:]))
        part.cells = [list(row.cells) for row in table.rows]
        found.append(part)
    return found


def _take_caption(box: Box, blocks: list[Block], opening: re.Pattern[str], *, below_only: bool) -> str:
    """The nearest block under (for tables also above) a box that begins like a caption; it is taken from the blocks."""
    best: tuple[float, Block] | None = None
    for block in blocks:
        beside = min(block.box[2], box[2]) <= max(block.box[0], box[0])
        distance = block.box[1] - box[3]
        if not below_only and distance < -2:
            distance = box[1] - block.box[3]
        if beside or not -2 <= distance <= _CAPTION_DISTANCE or not opening.match(block.text):
            continue
        if best is None or distance < best[0]:
            best = (distance, block)
    if best is None:
        return ""
    blocks[:] = [block for block in blocks if block is not best[1]]
    return best[1].text


def _merged(texts: list[PagePart], others: list[PagePart]) -> list[PagePart]:
    """Tables and pictures put before the first following paragraph of the column they stand in."""
    merged = list(texts)
    for part in sorted(others, key=lambda part: (part.box[1], part.box[0])):
        place = next(
            (n for n, other in enumerate(merged) if other.box[1] >= part.box[1] and _overlap(other.box, part.box)),
            len(merged),
        )
        merged.insert(place, part)
    return merged


def _overlap(one: Box, other: Box) -> bool:
    return min(one[2], other[2]) > max(one[0], other[0])


def _add_links(page: Any, parts: list[PagePart], words: list[dict[str, Any]]) -> None:
    """Attach each annotation with a URI to the part it lies on; jumps within the file have none and are left out."""
    for annotation in page.hyperlinks:
        target = str(annotation.get("uri") or "").strip()
        box = _box(annotation)
        part = next((part for part in parts if centre_in(box, part.box)), None)
        if part is None or not _EXTERNAL.match(target):
            continue
        anchor = " ".join(word["text"] for word in words if centre_in(_box(word), box))
        row, column = _cell_at(part, box)
        if part.table is not None and row is not None and column is not None:
            anchor = part.table.rows[row][column]
        link = Link(target=target, anchor=anchor, row=row, column=column, kind="external")
        if link not in part.links:
            part.links.append(link)


def _cell_at(part: PagePart, box: Box) -> tuple[int | None, int | None]:
    """0-based body row and column of the cell that holds a box; the header row has no row number."""
    for number, row in enumerate(part.cells):
        for column, cell in enumerate(row):
            if cell is not None and centre_in(box, cell):
                return (number - 1, column) if number else (None, column)
    return None, None
