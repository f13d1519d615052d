"""A method as a tool of a LangChain agent: ``python -m examples.as_agent_tool anthropic:claude-opus-4-8 "…"``."""

from __future__ import annotations

import sys
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool

from backtrail.graphs.parts.tool import method_tool
from backtrail.state.settings import Settings

PROMPT = "You answer questions about the exploration of the Solar System. Ask your tool and keep its source numbers."


def agent(model: str | BaseChatModel, tool: BaseTool | None = None) -> Any:
    """An agent that asks FiF whenever it needs facts of the demo corpus."""
    asked = tool or method_tool(
        "fif", Settings(corpus="examples"), about="It holds pages about missions, worlds and instruments in space."
    )
    return create_agent(model, [asked], system_prompt=PROMPT)


if __name__ == "__main__":
    said = agent(sys.argv[1]).invoke({"messages": [("user", sys.argv[2])]})
    print(said["messages"][-1].text)
