"""A run as its observers see it: who asked which method, which node ended, what it charged, how the run ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from backtrail.state.usage import Charge, Usage, total_usage

Ended = Literal["done", "failed", "cancelled"]


@dataclass
class ObservedRun:
    """One run on this process. Ids and names alone: no question, no answer, no content."""

    run: str
    thread: str
    owner: str
    method: str
    assistant: str = ""
    charges: dict[str, Charge] = field(default_factory=dict[str, Charge])

    @property
    def spent(self) -> Usage:
        """The sum of its charges, each counted once."""
        return total_usage(self.charges)


@dataclass(frozen=True)
class ObservedNode:
    """A node that ended: when it began and ended (seconds since 1970), what it charged, the class of its error."""

    name: str
    step: int
    began: float
    ended: float
    spent: Usage
    decisions: tuple[str, ...] = ()
    error: str = ""


class Observer(Protocol):
    """Is told of runs as they go. Called in threads, one call of a run after the other; errors are logged."""

    def began(self, run: ObservedRun) -> None:
        """A run begins, or goes on after its process died."""
        ...

    def node(self, run: ObservedRun, node: ObservedNode) -> None:
        """A node ended; its charges are among the run's."""
        ...

    def ended(self, run: ObservedRun, how: Ended, error: str) -> None:
        """The run ended; ``error`` is the class of its error, empty without."""
        ...
