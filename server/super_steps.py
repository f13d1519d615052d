"""How many super-steps LangGraph lets a run of the server take: enough that its budget is what ends it.

In stream mode "events" LangChain would set 25, in which no run of ten steps ends. Explicit limits of runs stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST = 10_000
"""LangGraph's own in its other modes; 200 steps, the largest budget, take some 1,200."""


def allow_super_steps(run: Mapping[str, Any]) -> None:
    """Set the limit of a run that is to be made, unless it names its own; the server keeps the dict that we see."""
    begun = run.get("kwargs")
    config = begun.get("config") if begun else None
    if isinstance(config, dict):
        config.setdefault("recursion_limit", MOST)
