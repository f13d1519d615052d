"""State of single-shot methods: one search, no history."""

from __future__ import annotations

from backtrail.state.memory import Memory


class SingleShotState(Memory, total=False):
    """State of a single-shot run."""
