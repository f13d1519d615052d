"""Cell prose: what stands in the sentences of long cells, as in "Maximum number of open files. Default: 5m".

Such a cell is no answer, but holds one, as a sentence does. What it holds carries its row, so that the row's other
cells tell of what it is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from backtrail.rules.reader.support import Piece

# A longer cell is a page without stops, of which its beginning is enough.
MOST_CHARACTERS = 4000
# Fewer words are a path or a list of codes.
LEAST_WORDS = 4
_WORD = re.compile(r"[^\W\d_]{2,}")


def prose_cells(piece: Piece, longer_than: int) -> Iterator[Piece]:
    """The cells of a row that are longer than so many characters and written in words, each as a piece to be read."""
    if not piece.has_cells or piece.row is None:
        return
    for column, cell in enumerate(piece.evidence.rows[piece.row]):
        text = " ".join(cell[:MOST_CHARACTERS].split())
        if len(text) > longer_than and len(_WORD.findall(text)) >= LEAST_WORDS:
            yield replace(piece, text=text, column=column)
