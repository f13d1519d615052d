"""Counted nouns in English: "1 page", "2 pages"."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Format a number with its noun: ``1 document``, ``2,400 documents``, ``3 subqueries``."""
    if number == 1:
        return f"1 {noun}"
    several = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"
    return f"{number:,} {several}"
