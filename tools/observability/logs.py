"""Log lines for starts and ends of runs and failed nodes: JSON with ids, without content."""

from __future__ import annotations

import json
import logging

from backtrail.tools.observability.run import Ended, ObservedNode, ObservedRun

_LOG = logging.getLogger("backtrail.runs")


class Lines:
    """Observer that writes the log lines."""

    def began(self, run: ObservedRun) -> None:
        """Log the start of a run."""
        self._write(logging.INFO, "run_began", run)

    def node(self, run: ObservedRun, node: ObservedNode) -> None:
        """Log a failed node; the trace shows the others."""
        if node.error:
            self._write(logging.WARNING, "node_failed", run, node=node.name, step=node.step, error=node.error)

    def ended(self, run: ObservedRun, how: Ended, error: str) -> None:
        """Log the end of a run."""
        spent = run.spent
        figures = {
            "calls": spent["calls"],
            "input_tokens": spent["input_tokens"],
            "output_tokens": spent["output_tokens"],
            "cost_usd": round(spent["cost_usd"], 6),
        }
        level = logging.ERROR if how == "failed" else logging.INFO
        self._write(level, "run_ended", run, outcome=how, **({"error": error} if error else {}), **figures)

    @staticmethod
    def _write(level: int, event: str, run: ObservedRun, **more: object) -> None:
        ids = {"run_id": run.run, "thread_id": run.thread, "owner": run.owner, "method": run.method}
        _LOG.log(level, "%s", json.dumps({"event": event, **ids, **more}))
