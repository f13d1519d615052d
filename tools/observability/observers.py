"""Observers of this process's runs: spending always, metrics, logs and spans by the server."""

from __future__ import annotations

from backtrail.tools.access.records import spending
from backtrail.tools.observability.run import Ended, ObservedNode, ObservedRun, Observer


class Spending:
    """Observer that counts the spending of runs against their holders' quotas."""

    def began(self, run: ObservedRun) -> None:
        """Enter the run, also without an admission."""
        spending.run_began(run.run, run.owner)

    def node(self, run: ObservedRun, node: ObservedNode) -> None:
        """Record the spending so far, so that it counts if the run is killed."""
        if node.spent["calls"] or node.spent["cost_usd"]:
            spending.run_spent(run.run, run.spent, ended=False)

    def ended(self, run: ObservedRun, how: Ended, error: str) -> None:
        """Record the total spending."""
        spending.run_spent(run.run, run.spent, ended=True)


_OBSERVERS: list[Observer] = [Spending()]


def observers() -> tuple[Observer, ...]:
    """All observers."""
    return tuple(_OBSERVERS)


def observe(observer: Observer) -> None:
    """Add an observer, from the next run on."""
    _OBSERVERS.append(observer)
