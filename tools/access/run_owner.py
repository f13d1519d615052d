"""Who began a run, as its server says: never a client's word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from langchain_core.runnables import RunnableConfig

from backtrail.tools.access.thread_owner import OWNER


def run_owner(config: RunnableConfig | None) -> str:
    """Whoever the server found to ask, else whom it wrote down for a run that begins without them; empty for nobody."""
    held: Mapping[str, Any] = (config or {}).get("configurable", {})
    marks: Mapping[str, Any] = (config or {}).get("metadata", {})
    user: Any = held.get("langgraph_auth_user")
    found = held.get("langgraph_auth_user_id") or getattr(user, "identity", None)
    if not found and isinstance(user, Mapping):
        found = cast("Mapping[str, Any]", user).get("identity")
    return str(found or marks.get(OWNER) or "")
