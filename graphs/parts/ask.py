"""Ask a method one question from another application."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from langchain_core.runnables import RunnableConfig
from typing_extensions import TypedDict

from backtrail.graphs.methods import find_method
from backtrail.state.answer import Answer
from backtrail.state.hop import Scored
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class Ended(TypedDict):
    """Result of a run."""

    answer: Answer
    ranking: list[Scored]
    usage: dict[str, Charge]
    stop_reason: str


@cache
def compiled_graph(method: str, toolbox: Toolbox) -> Any:
    """Return the compiled graph of a method over a toolbox, cached.

    Raises:
        SettingsError: there is no such method.
    """
    return find_method(method).build(toolbox).compile(name=method)


async def ask(
    method: str, toolbox: Toolbox, settings: Settings, question: str, config: RunnableConfig | None = None
) -> Ended:
    """Run a method and return its result.

    Raises:
        InputRefused: no question, or one that is too long.
        BacktrailError: the corpus or a model cannot be used.
    """
    graph = await asyncio.to_thread(compiled_graph, method, toolbox)
    keys = list(Ended.__annotations__)
    values: dict[str, Any] = await graph.ainvoke({"question": question}, config, context=settings, output_keys=keys)
    return {
        "answer": values["answer"], "ranking": values.get("ranking", []), "usage": values.get("usage", {}),
        "stop_reason": values.get("stop_reason", ""),
    }  # fmt: skip
