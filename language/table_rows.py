"""Rows of tables as sentences."""

from __future__ import annotations

from collections.abc import Sequence


def row_sentence(caption: str, header: Sequence[str], cells: Sequence[str]) -> str:
    """One row as a sentence: "caption: header1 is cell1; header2 is cell2", without empty cells."""
    names = [*header[: len(cells)], *[""] * (len(cells) - len(header))]
    # a cell that spans columns without names of their own stands in each; say it once
    parts = dict.fromkeys(
        f"{name} is {cell}" if name else cell for name, cell in zip(names, cells, strict=False) if cell.strip()
    )
    said = "; ".join(parts)
    return f"{caption}: {said}" if caption and said else caption or said
