"""Ingesting uploads as a run of the server: it waits in the server's queue, and is taken up again after a kill."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from backtrail.graphs.serving.gated import Gated
from backtrail.nodes.bring_in import BroughtIn, Uploads, bring_in
from backtrail.tools.access.begin import check_holder
from backtrail.tools.observing.run import ObservedRun

NAME = "ingest"


class Bringing(Gated[Any, Any, Any, Any]):
    """The machine, as it is run by others: it has no settings, and its node asks whether files may be brought."""

    def _begin(self, run: ObservedRun, context: Any) -> None:
        check_holder(run.owner)


def build() -> StateGraph[BroughtIn, None, Uploads, BroughtIn]:
    """The machine, of one node."""
    machine = StateGraph(BroughtIn, input_schema=Uploads, output_schema=BroughtIn)
    machine.add_node("bring_in", bring_in)
    machine.add_edge(START, "bring_in")
    machine.add_edge("bring_in", END)
    return machine


graph: CompiledStateGraph[Any, None, Any, Any] = Bringing(**vars(build().compile(name=NAME)))
