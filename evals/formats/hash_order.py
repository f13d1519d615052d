"""Order of questions that makes the first N of them a sample, whatever N is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

Row = TypeVar("Row")

GIVEN = ".given"
"""Suffix of splits in which each question searches only its own document."""


def hash_order(rows: Iterable[Row], id_of: Callable[[Row], str]) -> list[Row]:
    """Return rows in the order of the sha1 of their ids."""
    return sorted(rows, key=lambda row: hashlib.sha1(id_of(row).encode(), usedforsecurity=False).digest())
