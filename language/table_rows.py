"""Format rows of tables as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby


def row_sentence(caption: str, header: Sequence[str], cells: Sequence[str]) -> str:
    """Format a row as a sentence: "caption: header1 is cell1; header2 is cell2", without empty cells.

    Values under blank headers appear without a header, once per cell.
    """
    names = [*header, *[""] * (len(cells) - len(header))]
    statements: list[str] = []
    for name, stretch in groupby(zip(names, cells, strict=False), key=lambda pair: pair[0].strip()):
        values = [cell for _, cell in stretch if cell.strip()]
        # a cell that spans columns of one name, or columns without names, is repeated in each; write it once
        values = list(dict.fromkeys(values)) if name or len(set(values)) == 1 else values
        statements += [f"{name} is {value}" if name else value for value in values]
    sentence = "; ".join(dict.fromkeys(statements) if all(name.strip() for name in names) else statements)
    return f"{caption}: {sentence}" if caption and sentence else caption or sentence
