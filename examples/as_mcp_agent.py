"""An agent with the tools of a server, over MCP: ``python -m examples.as_mcp_agent URL openai:gpt-5-mini "…"``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel

PROMPT = "You answer from documents. Ask the tool 'fif' whole questions; search, read and compute what it leaves open."
TOOLS = ("fif", "search", "read", "next_part", "list_documents", "find_phrase", "tables", "compute")


async def agent(model: str | BaseChatModel, url: str, key: str = "", tools: Collection[str] = TOOLS) -> Any:
    """An agent that asks a method over the server's corpora, and reads them itself.

    Args:
        url: address of the server, without ``/mcp``.
        key: API key of the server; empty without keys.
        tools: names of those that the agent gets; the server offers one for each method and assistant too.
    """
    from langchain_mcp_adapters.client import MultiServerMCPClient

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    server: Any = {"transport": "streamable_http", "url": f"{url}/mcp", "headers": headers}
    offered = await MultiServerMCPClient({"backtrail": server}).get_tools()
    return create_agent(model, [one for one in offered if one.name in tools], system_prompt=PROMPT)


async def main(url: str, model: str, question: str) -> None:
    """Ask one question."""
    said = await (await agent(model, url)).ainvoke({"messages": [("user", question)]})
    print(said["messages"][-1].text)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
