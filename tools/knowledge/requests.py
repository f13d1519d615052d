"""Group chunks into requests.

Replies and outcomes are stored per chunk. Each request repeats the instructions, so that it has as many chunks as its
reply has room for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from backtrail.state.knowledge.chunks import KnowledgeChunk
from backtrail.tools.knowledge.chunks import CHUNK_CHARACTERS, MOST_CELLS, MOST_ROWS
from backtrail.tools.knowledge.extractions import Chunk

_CHUNKS = 2
REQUEST_CHARACTERS = _CHUNKS * CHUNK_CHARACTERS
"""4,800, about the 1,200 tokens of one chunk of LightRAG: two of our longest chunks, or any number of short ones."""
REQUEST_ROWS = _CHUNKS * MOST_ROWS
REQUEST_CELLS = _CHUNKS * MOST_CELLS
"""A cell is some 20 tokens of the reply: 8,000, where replies of current models end at 16,000 or later."""


def packed(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    """Group chunks into requests, each of one document, in the given order."""
    documents = groupby(chunks, key=lambda chunk: chunk.document)
    return [request for _, same in documents for request in _requests(same)]


def _requests(chunks: Iterator[Chunk]) -> Iterator[list[Chunk]]:
    request: list[Chunk] = []
    total = (0, 0, 0)
    for chunk in chunks:
        size = _size(chunk.inputs)
        together = (total[0] + size[0], total[1] + size[1], total[2] + size[2])
        if request and not _fits(together):
            yield request
            request, together = [], size
        request.append(chunk)
        total = together
    if request:
        yield request


def _fits(size: tuple[int, int, int]) -> bool:
    characters, rows, cells = size
    return characters <= REQUEST_CHARACTERS and rows <= REQUEST_ROWS and cells <= REQUEST_CELLS


def _size(chunk: KnowledgeChunk) -> tuple[int, int, int]:
    """Return characters (as in the chunk's limit), rows and filled cells."""
    cells = [cell for row in chunk.rows for cell in row.cells if cell]
    texts = cells or [chunk.text, chunk.name, chunk.caption, *chunk.objects]
    return sum(map(len, texts)), len(chunk.rows), len(cells)
