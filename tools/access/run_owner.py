"""The owner of a run, from fields that the server sets and clients cannot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from langchain_core.runnables import RunnableConfig

from backtrail.tools.access.thread_owner import OWNER


def run_owner(config: RunnableConfig | None) -> str:
    """The authenticated user, else the owner that the server stored in the metadata; empty for nobody."""
    configurable: Mapping[str, Any] = (config or {}).get("configurable", {})
    metadata: Mapping[str, Any] = (config or {}).get("metadata", {})
    user: Any = configurable.get("langgraph_auth_user")
    found = configurable.get("langgraph_auth_user_id") or getattr(user, "identity", None)
    if not found and isinstance(user, Mapping):
        found = cast("Mapping[str, Any]", user).get("identity")
    return str(found or metadata.get(OWNER) or "")
