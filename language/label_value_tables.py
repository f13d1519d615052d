"""Detect label-value tables ("Item | Entry")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from backtrail.language.vocabulary import kind_of_noun

_WORD = re.compile(r"[^\W\d_]+")
# Headers of a column of labels.
_LABEL_HEADS = frozenset(
    ("item", "property", "attribute", "field", "feature", "parameter", "quantity", "characteristic", "detail", "fact")
)
# Headers of the other columns where the first column lists things: "Item | Price | Weight",
# "Field | Type | Description".
_MEASURES = ("number", "date", "year")
_TRAITS = frozenset(("type", "description", "default", "required", "meaning", "purpose"))


def holds_labels(header: Sequence[str]) -> bool:
    """Whether the first column of a table has labels; not if other columns are properties of things."""
    labelled = len(header) > 1 and header[0].strip().casefold() in _LABEL_HEADS
    return labelled and not any(_is_trait(word) for head in header[1:] for word in _WORD.findall(head.casefold()))


def _is_trait(word: str) -> bool:
    return word in _TRAITS or kind_of_noun(word) in _MEASURES


def subject_of(header: Sequence[str], column: int, title: str) -> str:
    """Return the subject of a column: the document, or in a table of several things the column's header."""
    named = header[column].strip() if len(header) > 2 and column < len(header) else ""
    return named or title
