"""Runs and nodes as observers see them, with owner, method, charges and outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from backtrail.state.usage import Charge, Usage, total_usage

Ended = Literal["done", "failed", "cancelled"]


@dataclass
class ObservedRun:
    """One run of this process. Only ids and names: no question, answer or other content."""

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
    """An ended node: start and end (seconds since 1970), charges, class of its error."""

    name: str
    step: int
    began: float
    ended: float
    spent: Usage
    decisions: tuple[str, ...] = ()
    error: str = ""


class Observer(Protocol):
    """Receives events of runs. Called in threads, sequentially for each run; errors are logged."""

    def began(self, run: ObservedRun) -> None:
        """A run starts, or continues after its process died."""
        ...

    def node(self, run: ObservedRun, node: ObservedNode) -> None:
        """A node ended; its charges are among the run's."""
        ...

    def ended(self, run: ObservedRun, how: Ended, error: str) -> None:
        """The run ended; ``error`` is the class of its error, empty without one."""
        ...
