"""A strategy in the words of FiF's prompts, there and back.

The published prompts name a document mode and a component mode; the paper's tuple has scope and reasoning
(section 4.2). Scope and reasoning over documents share one mode, so a local hop reasons over components only.
"""

from __future__ import annotations

from typing import Literal

from backtrail.state.hop import Granularity, Reasoning, Strategy

DocumentMode = Literal["neighbors", "vector search", "llm reasoning"]
ComponentMode = Literal["vector search", "llm reasoning"]


def modes(strategy: Strategy) -> tuple[DocumentMode, ComponentMode]:
    """How the prompts call a strategy."""
    components: ComponentMode = "vector search" if strategy["reasoning"] == "none" else "llm reasoning"
    if strategy["scope"] == "local":
        return "neighbors", components
    return "llm reasoning" if strategy["reasoning"] == "both" else "vector search", components


def strategy_of(documents: DocumentMode, components: ComponentMode, granularity: Granularity) -> Strategy:
    """The strategy that two modes mean."""
    reasoning: Reasoning = "component" if components == "llm reasoning" else "none"
    return {
        "scope": "local" if documents == "neighbors" else "global",
        "granularity": granularity,
        "reasoning": "both" if documents == "llm reasoning" else reasoning,
    }
