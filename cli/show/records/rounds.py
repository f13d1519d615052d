"""Rounds: the action and the queries that were planned in each."""

from __future__ import annotations

from backtrail.cli.show.records.planned_steps import DecidedStep, DecidedView
from backtrail.state.cogplanner.memory import Round


class View(DecidedView):
    """Rounds with their searches."""

    def decided(self, record: Round) -> DecidedStep:
        """A round."""
        return DecidedStep(record["index"], record["action"], "; ".join(record["queries"]), record["why"])
