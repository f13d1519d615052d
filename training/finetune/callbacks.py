"""Callbacks that report the progress of a training."""

from __future__ import annotations

from typing import Any, Protocol


class Watcher(Protocol):
    """Told of each step and each evaluation."""

    def step(self, done: int, steps: int) -> None:
        """A step is done."""
        ...

    def evaluated(self, measures: dict[str, Any]) -> None:
        """An evaluation: step, epoch, loss, and accuracy and confusion of letters."""
        ...


class Unwatched:
    """Tells nobody."""

    def step(self, done: int, steps: int) -> None:
        """Nothing."""

    def evaluated(self, measures: dict[str, Any]) -> None:
        """Nothing."""
