"""The retrieval module of MMAPG as a graph of its own: an instruction in, one node of the planning graph out.

Paper, section 3.4: split the instruction, write queries for texts and for pictures, take everything
within a radius, examine each candidate, and compile what bears on the instruction, or say that nothing does.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from backtrail.nodes.mmapg.compile_findings import compile_findings
from backtrail.nodes.mmapg.examine import examine_picture, examine_text
from backtrail.nodes.mmapg.reach import reach
from backtrail.nodes.mmapg.sought import sought
from backtrail.nodes.mmapg.split import split
from backtrail.nodes.mmapg.write_queries import write_image_queries, write_text_queries
from backtrail.state.mmapg.memory import Examining, Growing, RetrievalState, Retrieved
from backtrail.state.mmapg.spent import after_siblings, compacted
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def first_queries(state: RetrievalState) -> Literal["write_text_queries", "write_image_queries", "reach"]:
    """Texts first, if there is a text part. Along links nothing is searched by query."""
    if state.get("text_part") and state["node"]["within"] == "corpus":
        return "write_text_queries"
    return then_pictures(state)


def then_pictures(state: RetrievalState) -> Literal["write_image_queries", "reach"]:
    """Queries about pictures, if there is an image part."""
    return "write_image_queries" if state.get("image_part") else "reach"


def examiners(state: RetrievalState) -> list[Send] | Literal["compile_findings"]:
    """One examiner for each candidate, side by side."""
    spent = compacted({**state["spent"], **state.get("usage", {})})
    instruction = sought(state.get("text_part", ""), state.get("image_part", ""))
    sends: list[Send] = []
    for index, candidate in enumerate(state.get("candidates", [])):
        examining: Examining = {
            "node": state["node"],
            "index": index,
            "candidate": candidate,
            "instruction": instruction,
            "image_question": state.get("image_question", ""),
            "spent": after_siblings(spent, index),
        }
        sends.append(Send("examine_picture" if candidate["pictured"] else "examine_text", examining))
    return sends or "compile_findings"


def build(toolbox: Toolbox) -> StateGraph[RetrievalState, Settings, Growing, Retrieved]:
    """The machine."""
    machine = StateGraph(RetrievalState, context_schema=Settings, input_schema=Growing, output_schema=Retrieved)
    machine.add_node("split", split(toolbox))
    machine.add_node("write_text_queries", write_text_queries(toolbox))
    machine.add_node("write_image_queries", write_image_queries(toolbox))
    machine.add_node("reach", reach(toolbox))
    machine.add_node("examine_text", examine_text(toolbox))
    machine.add_node("examine_picture", examine_picture(toolbox))
    machine.add_node("compile_findings", compile_findings(toolbox))

    machine.add_edge(START, "split")
    machine.add_conditional_edges("split", first_queries)
    machine.add_conditional_edges("write_text_queries", then_pictures)
    machine.add_edge("write_image_queries", "reach")
    machine.add_conditional_edges("reach", examiners, ["examine_text", "examine_picture", "compile_findings"])
    machine.add_edge("examine_text", "compile_findings")
    machine.add_edge("examine_picture", "compile_findings")
    machine.add_edge("compile_findings", END)
    return machine
