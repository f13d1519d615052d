"""Tables of labelled entries ("Item | Entry"): the first column says what is told, not of what."""

from __future__ import annotations

from collections.abc import Sequence

# Heads of a column that holds labels, not things.
_LABEL_HEADS = frozenset(
    ("item", "property", "attribute", "field", "feature", "parameter", "quantity", "characteristic", "detail", "fact")
)


def holds_labels(header: Sequence[str]) -> bool:
    """Whether a table with this header has labels in its first column."""
    return len(header) > 1 and header[0].strip().casefold() in _LABEL_HEADS


def subject_of(header: Sequence[str], column: int, title: str) -> str:
    """What a column of such a table is about: its document, or in a table of several things what heads the column."""
    named = header[column].strip() if len(header) > 2 and column < len(header) else ""
    return named or title
