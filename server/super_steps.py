"""Set LangGraph's limit of super-steps for runs of the server so high that only budgets end a run.

In stream mode "events" LangChain's default is 25, too few for a run of ten steps. Explicit limits of runs stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST = 10_000
"""LangGraph's default in other modes; 200 steps, the largest budget, take some 1,200."""


def allow_super_steps(run: Mapping[str, Any]) -> None:
    """Set the limit of a new run unless it has its own, in the dict that the server stores."""
    kwargs = run.get("kwargs")
    config = kwargs.get("config") if kwargs else None
    if isinstance(config, dict):
        config.setdefault("recursion_limit", MOST)
