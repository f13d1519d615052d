"""One search of a fixed kind, then an answer: the machine of the baselines for which nothing decides about searching.

The CogPlanner paper compares with them (sections 4.1 and 6.1.1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.graph import END
from langgraph.types import Send

from backtrail.graphs.evidence import evidence
from backtrail.graphs.machine import Machine
from backtrail.nodes.answer import answer
from backtrail.nodes.answer_alone import answer_alone
from backtrail.nodes.check_picture import check_picture
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.rank_found import rank_found
from backtrail.state.conversation import Asked
from backtrail.state.memory import empty_memory
from backtrail.state.search import SearchKind, search_node, search_task
from backtrail.state.searching import SearchingAnswered, SearchingState
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

FixedSearch = Machine[SearchingState, Settings, Asked, SearchingAnswered]


def fixed_search(toolbox: Toolbox, name: str, search: Any, kind: Callable[[bool], SearchKind]) -> FixedSearch:
    """The machine, with the node that searches; ``kind`` says how, with a picture or without one."""

    def whole_question(state: SearchingState) -> list[Send]:
        """The question as it is is the query."""
        chosen = kind(bool(state.get("image")))
        task = search_task(chosen, state.get("question", ""), state.get("question", ""), state.get("image"))
        return [Send(search_node(chosen), task)]

    machine = Machine(SearchingState, context_schema=Settings, input_schema=Asked, output_schema=SearchingAnswered)
    fresh = empty_memory(SearchingState, stop_reason="single-shot")
    machine.begin_with(contextualize(toolbox, fresh), then="check_picture")
    machine.add_node("check_picture", check_picture(toolbox))
    machine.add_node(name, search)
    machine.add_node("rank_found", rank_found())
    machine.add_node("answer", answer(toolbox, knowledge="both"))
    machine.add_node("answer_alone", answer_alone(toolbox))

    machine.add_conditional_edges("check_picture", whole_question, [name])
    machine.add_edge(name, "rank_found")
    machine.add_conditional_edges("rank_found", evidence)
    machine.add_edge("answer", END)
    machine.add_edge("answer_alone", END)
    return machine
