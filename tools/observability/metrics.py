"""Prometheus metrics of a server's runs: numbers, durations, spending, by method and node.

For several processes, ``PROMETHEUS_MULTIPROC_DIR`` names a folder in which they combine theirs.
"""

from __future__ import annotations

import os
import time

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client import generate_latest as _text
from prometheus_client.multiprocess import MultiProcessCollector

from backtrail.tools.observability.run import Ended, ObservedNode, ObservedRun

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = CONTENT_TYPE_LATEST
SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)
"""Bounds of the histograms: rules answer in tenths of a second, strong models in minutes (ours)."""

RUNS = Counter("backtrail_runs", "Runs that ended.", ["method", "outcome"])
AT_WORK = Gauge("backtrail_runs_at_work", "Runs in progress.", ["method"], multiprocess_mode="livesum")
RUN_SECONDS = Histogram("backtrail_run_seconds", "Duration of a run.", ["method"], buckets=SECONDS)
NODE_SECONDS = Histogram("backtrail_node_seconds", "Duration of a node.", ["method", "node"], buckets=SECONDS)
NODE_ERRORS = Counter("backtrail_node_errors", "Nodes that failed.", ["method", "node", "error"])
CALLS = Counter("backtrail_model_calls", "Calls of models.", ["method"])
TOKENS = Counter("backtrail_tokens", "Tokens that models read and wrote.", ["method", "kind"])
COST = Counter("backtrail_cost_usd", "US dollars by the price table.", ["method"])


class Figures:
    """Observer that updates the metrics."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def began(self, run: ObservedRun) -> None:
        """Count a running run."""
        self._since[run.run] = time.monotonic()
        AT_WORK.labels(run.method).inc()

    def node(self, run: ObservedRun, node: ObservedNode) -> None:
        """Add the duration, error and spending of a node."""
        NODE_SECONDS.labels(run.method, node.name).observe(max(0.0, node.ended - node.began))
        if node.error:
            NODE_ERRORS.labels(run.method, node.name, node.error).inc()
        CALLS.labels(run.method).inc(node.spent["calls"])
        COST.labels(run.method).inc(node.spent["cost_usd"])
        TOKENS.labels(run.method, "input").inc(node.spent["input_tokens"])
        TOKENS.labels(run.method, "output").inc(node.spent["output_tokens"])

    def ended(self, run: ObservedRun, how: Ended, error: str) -> None:
        """Count an ended run and its duration."""
        AT_WORK.labels(run.method).dec()
        RUNS.labels(run.method, how).inc()
        if since := self._since.pop(run.run, None):
            RUN_SECONDS.labels(run.method).observe(time.monotonic() - since)


def exposition() -> bytes:
    """The metrics of all processes, in Prometheus' text format."""
    if not os.environ.get(FOLDER):
        return _text(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return _text(registry)
