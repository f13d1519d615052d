"""Subgraph of MMAPG's retrieval module: an instruction in, one node of the planning graph out.

Paper, section 3.4: split the instruction, write queries for texts and for pictures, take everything within a radius,
examine each candidate, and compile what is related, or report that nothing is. Queries may come with the split, and
candidates be examined in chunks (ours).
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START
from langgraph.types import Send

from backtrail.graphs.progress_stream import ProgressGraph
from backtrail.nodes.mmapg.compile_findings import compile_findings
from backtrail.nodes.mmapg.examine import examine_picture, examine_text
from backtrail.nodes.mmapg.examine_chunk import examine_pictures, examine_texts
from backtrail.nodes.mmapg.examine_inputs import chunk_examinings, examinings
from backtrail.nodes.mmapg.next_round import next_round
from backtrail.nodes.mmapg.reach import reach
from backtrail.nodes.mmapg.split import split
from backtrail.nodes.mmapg.write_queries import write_image_queries, write_text_queries
from backtrail.state.mmapg.memory import ExaminationInput, ExecutorInput, RetrievalState, Retrieved
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

CHUNK_EXAMINERS = ["examine_texts", "examine_pictures", "compile_findings"]
EXAMINERS = ["examine_text", "examine_picture", *CHUNK_EXAMINERS]


def first_queries(state: RetrievalState) -> Literal["write_text_queries", "write_image_queries", "reach"]:
    """Route to the text queries if there is a text part; links are followed without queries."""
    if "text_queries" in state:
        return "reach"
    if state.get("text_part") and state["node"]["within"] == "corpus":
        return "write_text_queries"
    return then_pictures(state)


def then_pictures(state: RetrievalState) -> Literal["write_image_queries", "reach"]:
    """Route to the image queries if there is an image part."""
    return "write_image_queries" if state.get("image_part") else "reach"


def examiners(state: RetrievalState) -> list[Send] | Literal["compile_findings"]:
    """Send the first round of chunks, or without rounds each candidate, in parallel."""
    if state.get("rounds"):
        return chunk_examiners(state)
    return [Send(examiner(one), one) for one in examinings(state)] or "compile_findings"


def chunk_examiners(state: RetrievalState) -> list[Send] | Literal["compile_findings"]:
    """Send the chunks of the next round in parallel, if there is one."""
    return [Send(name, chunk) for name, chunk in chunk_examinings(state)] or "compile_findings"


def examiner(examining: ExaminationInput) -> str:
    """Return the examiner of a candidate: pictures are looked at, everything else is read."""
    return "examine_picture" if examining["candidate"]["pictured"] else "examine_text"


def build(toolbox: Toolbox) -> ProgressGraph[RetrievalState, Settings, ExecutorInput, Retrieved]:
    """Build the graph, not yet compiled."""
    graph = ProgressGraph(RetrievalState, context_schema=Settings, input_schema=ExecutorInput, output_schema=Retrieved)
    graph.add_node("split", split(toolbox))
    graph.add_node("write_text_queries", write_text_queries(toolbox))
    graph.add_node("write_image_queries", write_image_queries(toolbox))
    graph.add_node("reach", reach(toolbox))
    graph.add_node("examine_text", examine_text(toolbox))
    graph.add_node("examine_picture", examine_picture(toolbox))
    graph.add_node("examine_texts", examine_texts(toolbox))
    graph.add_node("examine_pictures", examine_pictures(toolbox))
    graph.add_node("next_round", next_round())
    graph.add_node("compile_findings", compile_findings(toolbox))

    graph.add_edge(START, "split")
    graph.add_conditional_edges("split", first_queries)
    graph.add_conditional_edges("write_text_queries", then_pictures)
    graph.add_edge("write_image_queries", "reach")
    graph.add_conditional_edges("reach", examiners, EXAMINERS)
    graph.add_edge("examine_text", "compile_findings")
    graph.add_edge("examine_picture", "compile_findings")
    graph.add_edge("examine_texts", "next_round")
    graph.add_edge("examine_pictures", "next_round")
    graph.add_conditional_edges("next_round", chunk_examiners, CHUNK_EXAMINERS)
    graph.add_edge("compile_findings", END)
    return graph
