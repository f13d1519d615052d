"""Who is told of the runs of this process. The server adds figures, logs and spans; spending is always counted."""

from __future__ import annotations

from backtrail.tools.access.records import spending
from backtrail.tools.observability.run import Ended, ObservedNode, ObservedRun, Observer


class Spending:
    """Counts what runs spend against their holders' quotas."""

    def began(self, run: ObservedRun) -> None:
        """Enter it, also where nobody admitted it."""
        spending.run_began(run.run, run.owner)

    def node(self, run: ObservedRun, node: ObservedNode) -> None:
        """Write what it spent so far: a run that is killed has spent it all the same."""
        if node.spent["calls"] or node.spent["cost_usd"]:
            spending.run_spent(run.run, run.spent, ended=False)

    def ended(self, run: ObservedRun, how: Ended, error: str) -> None:
        """Write all of it."""
        spending.run_spent(run.run, run.spent, ended=True)


_OBSERVERS: list[Observer] = [Spending()]


def observers() -> tuple[Observer, ...]:
    """Everybody who is told."""
    return tuple(_OBSERVERS)


def observe(observer: Observer) -> None:
    """Tell one more, from the next run on."""
    _OBSERVERS.append(observer)
