"""View of turns: thought, sub-question and action of each."""

from __future__ import annotations

from backtrail.cli.show.records.planned_steps import DecidedStep, DecidedView
from backtrail.state.omnisearch.memory import Turn


class View(DecidedView):
    """Turns with their searches."""

    heading = "Turns"

    def decided(self, record: Turn) -> DecidedStep:
        """Convert a turn."""
        return DecidedStep(record["index"], record["action"], record["subquestion"], record["thought"], "thought")
