"""Fixed text retrieval: one text search with the question as it is, then an answer.

A baseline of the CogPlanner paper (sections 4.1 and 6.1.1): nothing decides whether the search is needed.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from backtrail.graphs.machine import Machine
from backtrail.nodes.answer import answer
from backtrail.nodes.answer_alone import answer_alone
from backtrail.nodes.check_picture import check_picture
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.rank_found import rank_found
from backtrail.nodes.search_text import search_text
from backtrail.state.conversation import Asked
from backtrail.state.memory import empty_memory
from backtrail.state.search import SearchTask
from backtrail.state.searching import SearchingAnswered, SearchingState
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def search(state: SearchingState) -> list[Send]:
    """The question is the query."""
    question = state.get("question", "")
    task: SearchTask = {
        "kind": "text", "query": question, "round": 1, "index": 0, "question": question, "picture": state.get("image")
    }  # fmt: skip
    return [Send("search_text", task)]


def evidence(state: SearchingState) -> Literal["answer", "answer_alone"]:
    """Read what was found; with nothing found, answer from own knowledge or abstain."""
    return "answer" if state.get("ranking") else "answer_alone"


def build(toolbox: Toolbox) -> Machine[SearchingState, Settings, Asked, SearchingAnswered]:
    """The machine."""
    machine = Machine(SearchingState, context_schema=Settings, input_schema=Asked, output_schema=SearchingAnswered)
    machine.add_node("contextualize", contextualize(toolbox, empty_memory(SearchingState, stop_reason="single-shot")))
    machine.add_node("check_picture", check_picture(toolbox))
    machine.add_node("search_text", search_text(toolbox))
    machine.add_node("rank_found", rank_found())
    machine.add_node("answer", answer(toolbox))
    machine.add_node("answer_alone", answer_alone(toolbox))

    machine.add_edge(START, "contextualize")
    machine.add_edge("contextualize", "check_picture")
    machine.add_conditional_edges("check_picture", search, ["search_text"])
    machine.add_edge("search_text", "rank_found")
    machine.add_conditional_edges("rank_found", evidence)
    machine.add_edge("answer", END)
    machine.add_edge("answer_alone", END)
    return machine


graph: CompiledStateGraph[SearchingState, Settings, Asked, SearchingAnswered] = build(Toolbox()).compile(
    name="fixed_text"
)
