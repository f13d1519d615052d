"""Patterns of names, as hosts write them: ``*`` stands for anything, everything else for itself."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable


def matches(name: str, pattern: str) -> bool:
    """Whether a pattern covers a name."""
    return fnmatch.fnmatchcase(name, pattern)


def among(name: str, patterns: Iterable[str]) -> bool:
    """Whether any of them does."""
    return any(matches(name, pattern) for pattern in patterns)
