"""The agents by name, as in the setting ``hm_rag.sources``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backtrail.nodes.hm_rag.agents.agent import Agent
from backtrail.nodes.hm_rag.agents.graph import graph_agent
from backtrail.nodes.hm_rag.agents.vector import vector_agent
from backtrail.nodes.hm_rag.agents.web import web_agent
from backtrail.tools.toolbox import Toolbox

AGENTS: Mapping[str, Callable[[Toolbox], Agent]] = {
    "vector": vector_agent,
    "graph": graph_agent,
    "web": web_agent,
}
