"""A method as a sub-agent of deepagents: ``python -m examples.as_sub_agent anthropic:claude-opus-4-8 "…"``."""

from __future__ import annotations

import sys
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import BaseTool

from backtrail.graphs.parts.tool import method_tool
from backtrail.state.settings import Settings

ABOUT = "Answers questions about missions, worlds and instruments in space from documents, with numbered sources."


def deep_agent(model: str | BaseChatModel, tool: BaseTool | None = None) -> Any:
    """A deep agent that hands questions of facts to FiF over the demo corpus.

    The sub-agent's last message is the answer with its sources: one run, in a thread of its own.
    """
    from deepagents import create_deep_agent

    asked = tool or method_tool("fif", Settings(corpus="examples"), about=ABOUT)

    async def answer(state: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [AIMessage(await asked.ainvoke({"question": state["messages"][-1].text}))]}

    def answer_at_once(state: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [AIMessage(asked.invoke({"question": state["messages"][-1].text}))]}

    researcher = {"name": "documents", "description": ABOUT, "runnable": RunnableLambda(answer_at_once, answer)}
    return create_deep_agent(model, subagents=[researcher])


if __name__ == "__main__":
    said = deep_agent(sys.argv[1]).invoke({"messages": [("user", sys.argv[2])]})
    print(said["messages"][-1].text)
