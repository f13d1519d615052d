"""A question that cannot be taken on is refused by every method before anything of it is stored."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from backtrail.graphs.methods import METHODS, find_method
from backtrail.state.errors import InputRefused
from backtrail.tools.toolbox import Toolbox

THREAD: Any = {"configurable": {"thread_id": "t"}}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("asked", [{"question": "long." * 400_000}, {"question": " "}, {"messages": []}])
async def test_nothing_is_stored_of_what_is_refused(method: str, asked: dict[str, Any]) -> None:
    saver = InMemorySaver()
    graph = find_method(method).build(Toolbox()).compile(checkpointer=saver, name=method)
    with pytest.raises(InputRefused):
        await graph.ainvoke(asked, THREAD)
    assert list(saver.list(None)) == []
    assert (await graph.aget_state(THREAD)).values == {}


async def test_a_question_that_was_written_into_the_state_is_refused_too() -> None:
    graph = find_method("bm25").build(Toolbox()).compile(checkpointer=InMemorySaver(), name="bm25")
    await graph.aupdate_state(THREAD, {"question": "long." * 10_000}, as_node="__start__")
    with pytest.raises(InputRefused, match="50,000 characters long"):
        await graph.ainvoke(None, THREAD)
