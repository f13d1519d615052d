"""OpenTelemetry spans of runs and nodes, with step, decisions, tokens and cost, without content.

``OTEL_EXPORTER_OTLP_ENDPOINT`` is their destination; OpenTelemetry's other variables apply too.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

from backtrail.tools.errors import DependencyMissing
from backtrail.tools.observability.run import Ended, ObservedNode, ObservedRun

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_NANO = 1_000_000_000


def wanted() -> bool:
    """Whether the host configured an endpoint for spans."""
    return any(os.environ.get(name) for name in ENDPOINTS)


class Spans:
    """Observer that creates spans.

    Raises:
        DependencyMissing: without the extra ``tracing``.
    """

    def __init__(self, provider: Any = None) -> None:
        self._tracer: Any = (provider or _provider()).get_tracer("backtrail")
        self._open: dict[str, Any] = {}

    def began(self, run: ObservedRun) -> None:
        """Start the span of a run."""
        self._open[run.run] = self._tracer.start_span(
            f"run {run.method}",
            attributes={
                "backtrail.run_id": run.run,
                "backtrail.thread_id": run.thread,
                "backtrail.method": run.method,
                "backtrail.assistant_id": run.assistant,
            },
        )

    def node(self, run: ObservedRun, node: ObservedNode) -> None:
        """Add the span of a node within its run's."""
        from opentelemetry.trace import Status, StatusCode, set_span_in_context

        if (parent := self._open.get(run.run)) is None:
            return
        span = self._tracer.start_span(
            f"node {node.name}",
            context=set_span_in_context(parent),
            start_time=int(node.began * _NANO),
            attributes={
                "backtrail.run_id": run.run,
                "backtrail.node": node.name,
                "backtrail.step": node.step,
                "backtrail.decisions": list(node.decisions),
                "gen_ai.usage.input_tokens": node.spent["input_tokens"],
                "gen_ai.usage.output_tokens": node.spent["output_tokens"],
                "backtrail.calls": node.spent["calls"],
                "backtrail.cost_usd": node.spent["cost_usd"],
            },
        )
        if node.error:
            span.set_status(Status(StatusCode.ERROR, node.error))
        span.end(end_time=int(node.ended * _NANO))

    def ended(self, run: ObservedRun, how: Ended, error: str) -> None:
        """End the span of a run, with its total spending."""
        from opentelemetry.trace import Status, StatusCode

        if (span := self._open.pop(run.run, None)) is None:
            return
        spent = run.spent
        span.set_attributes(
            {
                "backtrail.outcome": how,
                "gen_ai.usage.input_tokens": spent["input_tokens"],
                "gen_ai.usage.output_tokens": spent["output_tokens"],
                "backtrail.calls": spent["calls"],
                "backtrail.cost_usd": spent["cost_usd"],
            }
        )
        if how == "failed":
            span.set_status(Status(StatusCode.ERROR, error))
        span.end()


def _provider() -> Any:
    if find_spec("opentelemetry.exporter.otlp.proto.http") is None or find_spec("opentelemetry.sdk") is None:
        raise DependencyMissing("opentelemetry-exporter-otlp-proto-http", "tracing")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(
        resource=Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", "backtrail")})
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
