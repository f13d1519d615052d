"""Fixed image retrieval: one search by the question's picture, then an answer.

A baseline of the CogPlanner paper (sections 4.1 and 6.1.1): nothing decides whether the search is needed.
A question without a picture is searched by its words.
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
from backtrail.nodes.search_images import search_images
from backtrail.state.conversation import Asked
from backtrail.state.memory import empty_memory
from backtrail.state.search import SearchTask
from backtrail.state.searching import SearchingAnswered, SearchingState
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def search(state: SearchingState) -> list[Send]:
    """By the picture where there is one."""
    question, picture = state.get("question", ""), state.get("image")
    task: SearchTask = {
        "kind": "image-by-picture" if picture else "image-by-text",
        "query": question, "round": 1, "index": 0, "question": question, "picture": picture,
    }  # fmt: skip
    return [Send("search_images", task)]


def evidence(state: SearchingState) -> Literal["answer", "answer_alone"]:
    """Read what was found; with nothing found, answer from own knowledge or abstain."""
    return "answer" if state.get("ranking") else "answer_alone"


def build(toolbox: Toolbox) -> Machine[SearchingState, Settings, Asked, SearchingAnswered]:
    """The machine."""
    machine = Machine(SearchingState, context_schema=Settings, input_schema=Asked, output_schema=SearchingAnswered)
    machine.add_node("contextualize", contextualize(toolbox, empty_memory(SearchingState, stop_reason="single-shot")))
    machine.add_node("check_picture", check_picture(toolbox))
    machine.add_node("search_images", search_images(toolbox))
    machine.add_node("rank_found", rank_found())
    machine.add_node("answer", answer(toolbox))
    machine.add_node("answer_alone", answer_alone(toolbox))

    machine.add_edge(START, "contextualize")
    machine.add_edge("contextualize", "check_picture")
    machine.add_conditional_edges("check_picture", search, ["search_images"])
    machine.add_edge("search_images", "rank_found")
    machine.add_conditional_edges("rank_found", evidence)
    machine.add_edge("answer", END)
    machine.add_edge("answer_alone", END)
    return machine


graph: CompiledStateGraph[SearchingState, Settings, Asked, SearchingAnswered] = build(Toolbox()).compile(
    name="fixed_image"
)
