"""Ingesting uploads as a run of the server: it waits in the server's queue, and is taken up again after a kill."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from backtrail.nodes.bring_in import BroughtIn, Uploads, bring_in

NAME = "ingest"


def build() -> StateGraph[BroughtIn, None, Uploads, BroughtIn]:
    """The machine, of one node."""
    machine = StateGraph(BroughtIn, input_schema=Uploads, output_schema=BroughtIn)
    machine.add_node("bring_in", bring_in)
    machine.add_edge(START, "bring_in")
    machine.add_edge("bring_in", END)
    return machine


graph: CompiledStateGraph[Any, None, Any, Any] = build().compile(name=NAME)
