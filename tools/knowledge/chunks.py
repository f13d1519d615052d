"""Chunks for extraction: a component, or a part of a long one.

Chunks cover the whole component: long texts are cut between sentences, tables between rows, long rows between cells.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from backtrail.language.sentences import split_sentences
from backtrail.state.component import Component, Link, Picture, Table
from backtrail.state.knowledge.chunks import Anchor, KnowledgeChunk, NumberedRow

CHUNK_CHARACTERS = 2_400
MOST_ROWS = 25
MOST_CELLS = 200
"""Cells of one chunk: the statements about a row must fit one reply."""


def chunks_of(title: str, component: Component) -> list[KnowledgeChunk]:
    """Return the chunks of a component in order; none if it has no words."""
    shown = KnowledgeChunk(title=title, section=component.section, modality=component.modality)
    if component.table is not None:
        return [_table_chunk(shown, component, part) for part in _row_groups(component.table)]
    if component.image is not None:
        return _picture_chunks(shown, component, component.image)
    parts = _text_parts(component.text or "")
    return [
        shown.model_copy(update={"text": part, "anchors": _anchors(component.links, part)}) for part in parts if part
    ]


def content_hash(chunk: KnowledgeChunk) -> bytes:
    """Hash of the extractor's input: 16 bytes."""
    text = chunk.model_dump_json().encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).digest()


def _text_parts(text: str) -> list[str]:
    text = text.strip()
    if len(text) <= CHUNK_CHARACTERS:
        return [text]
    pieces = [piece for sentence in split_sentences(text) for piece in _pieces(sentence)]
    parts = [""]
    for piece in pieces:
        if parts[-1] and len(parts[-1]) + len(piece) + 1 > CHUNK_CHARACTERS:
            parts.append("")
        parts[-1] = f"{parts[-1]} {piece}".strip()
    return parts


def _pieces(text: str, limit: int = CHUNK_CHARACTERS) -> Iterator[str]:
    """Cut a text into pieces of at most ``limit`` characters, at white space if there is any."""
    while len(text) > limit:
        place = text.rfind(" ", limit // 2, limit)
        place = limit if place < 0 else place
        yield text[:place].strip()
        text = text[place:].strip()
    if text:
        yield text


def _anchors(links: Sequence[Link], part: str) -> list[Anchor]:
    texts = dict.fromkeys(link.anchor for link in links if link.anchor.strip() and link.anchor in part)
    return [Anchor(text=text) for text in texts]


def _picture_chunks(shown: KnowledgeChunk, component: Component, picture: Picture) -> list[KnowledgeChunk]:
    texts = dict.fromkeys(text.strip() for text in (picture.alt, picture.recognized, picture.nearby))
    words = " ".join(text if text[-1] in ".!?。…" else f"{text}." for text in texts if text)
    parts = _text_parts(words)
    first = {
        "name": picture.title,
        "caption": picture.caption,
        "objects": [seen for seen in picture.objects if seen.strip()],
        "anchors": [Anchor(text=text) for text in dict.fromkeys(link.anchor for link in component.links) if text],
    }
    if not parts[0] and not any(first.values()):
        return []
    rest = [shown.model_copy(update={"text": part, "name": picture.title}) for part in parts[1:]]
    return [shown.model_copy(update={**first, "text": parts[0]}), *rest]


def _table_chunk(shown: KnowledgeChunk, component: Component, rows: list[NumberedRow]) -> KnowledgeChunk:
    table = component.table
    assert table is not None  # called for tables only
    numbers = {row.number for row in rows}
    anchors = dict.fromkeys((link.anchor, link.row) for link in component.links if link.row in numbers and link.anchor)
    return shown.model_copy(
        update={
            "caption": table.caption,
            "header": list(table.header),
            "rows": rows,
            "anchors": [Anchor(text=text, row=row) for text, row in anchors],
        }
    )


def _row_groups(table: Table) -> Iterator[list[NumberedRow]]:
    """Group rows by chunk; empty rows are skipped."""
    group: list[NumberedRow] = []
    characters = 0
    cells = 0
    for number, row in enumerate(table.rows):
        for part in _row_parts([cell.strip() for cell in row]):
            size, filled = sum(map(len, part)), sum(1 for cell in part if cell)
            full = characters + size > CHUNK_CHARACTERS or len(group) >= MOST_ROWS or cells + filled > MOST_CELLS
            if group and full:
                yield group
                group, characters, cells = [], 0, 0
            group.append(NumberedRow(number=number, cells=part))
            characters += size
            cells += filled
    if group:
        yield group


def _row_parts(cells: list[str]) -> Iterator[list[str]]:
    """Yield a row whole, or in parts that fit a chunk; every part keeps the first cell, which mostly names the row."""
    filled = [place for place, cell in enumerate(cells) if cell]
    if not filled:
        return
    if sum(map(len, cells)) <= CHUNK_CHARACTERS and len(filled) <= MOST_CELLS:
        yield cells
        return
    lead = filled[0] if len(cells[filled[0]]) <= CHUNK_CHARACTERS // 4 else None
    part, size = _lead_only(cells, lead)
    start = size
    for place in filled:
        if place == lead:
            continue
        for piece in _pieces(cells[place], CHUNK_CHARACTERS // 2):
            if size > start and (size + len(piece) > CHUNK_CHARACTERS or part[place] or _filled(part) >= MOST_CELLS):
                yield part
                part, size = _lead_only(cells, lead)
            part[place] = piece
            size += len(piece)
    if size > start or lead is not None:
        yield part


def _filled(cells: list[str]) -> int:
    return sum(1 for cell in cells if cell)


def _lead_only(cells: list[str], lead: int | None) -> tuple[list[str], int]:
    part = ["" if place != lead else cell for place, cell in enumerate(cells)]
    return part, sum(map(len, part))
