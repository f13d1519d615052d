"""Ingest of uploads as a server run: it waits in the server's queue, and is resumed after a crash."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.serving.policy_gate import PolicyGate
from backtrail.nodes.ingest_uploads import Uploads, UploadsIngested, ingest_uploads
from backtrail.tools.access.start_run import check_holder
from backtrail.tools.observability.run import ObservedRun

NAME = "ingest"


class IngestGate(PolicyGate[Any, Any, Any, Any]):
    """The ingest graph on a server: without settings; the policy decides whether its owner may upload."""

    def _begin(self, run: ObservedRun, context: Any) -> None:
        check_holder(run.owner)


def build() -> StateGraph[UploadsIngested, None, Uploads, UploadsIngested]:
    """Build the graph of one node."""
    graph = StateGraph(UploadsIngested, input_schema=Uploads, output_schema=UploadsIngested)
    graph.add_node("ingest_uploads", ingest_uploads)
    graph.add_edge(START, "ingest_uploads")
    graph.add_edge("ingest_uploads", END)
    return graph


graph: CompiledStateGraph[Any, None, Any, Any] = IngestGate(**vars(build().compile(name=NAME)))
