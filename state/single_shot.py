"""The memory of single-shot methods: one search, no history."""

from __future__ import annotations

from backtrail.state.memory import Memory


class SingleShotState(Memory, total=False):
    """Everything a single-shot run remembers."""
