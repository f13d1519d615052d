"""Protocol for reporting the progress of a training."""

from __future__ import annotations

from typing import Any, Protocol


class Watcher(Protocol):
    """Receives the progress of a training."""

    def step(self, done: int, steps: int) -> None:
        """Called after each step."""
        ...

    def evaluated(self, measures: dict[str, Any]) -> None:
        """Called after each evaluation, with step, epoch, loss, and accuracy and confusion of letters."""
        ...


class Unwatched:
    """Ignores progress."""

    def step(self, done: int, steps: int) -> None:
        """Do nothing."""

    def evaluated(self, measures: dict[str, Any]) -> None:
        """Do nothing."""
