"""View of rounds: the planned action and queries of each."""

from __future__ import annotations

from backtrail.cli.show.records.planned_steps import DecidedStep, DecidedView
from backtrail.state.cogplanner.memory import Round


class View(DecidedView):
    """Rounds with their searches."""

    def decided(self, record: Round) -> DecidedStep:
        """Convert a round."""
        return DecidedStep(record["index"], record["action"], "; ".join(record["queries"]), record["why"])
