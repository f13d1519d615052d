"""Announce that a damaged index is being rebuilt."""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

_log = logging.getLogger(__name__)


@lru_cache(64)
def announce_rebuild(generation: Path) -> None:
    """Log the rebuild, once per generation."""
    _log.warning(
        "The index of corpus %r is damaged: its words and edges are rebuilt, and nothing is embedded again.",
        generation.parents[1].name,
    )
