"""Conversion between a strategy and the modes of FiF's prompts.

The published prompts name a document mode and a component mode; the paper's tuple has scope and reasoning (section
4.2). Scope and reasoning over documents share one mode, so a local hop reasons over components only.
"""

from __future__ import annotations

from typing import Literal

from backtrail.state.hop import Granularity, Reasoning, Strategy

DocumentMode = Literal["neighbors", "vector search", "llm reasoning"]
ComponentMode = Literal["vector search", "llm reasoning"]


def modes(strategy: Strategy) -> tuple[DocumentMode, ComponentMode]:
    """Return the modes that the prompts use for a strategy."""
    components: ComponentMode = "vector search" if strategy["reasoning"] == "none" else "llm reasoning"
    if strategy["scope"] == "local":
        return "neighbors", components
    return "llm reasoning" if strategy["reasoning"] == "both" else "vector search", components


def strategy_of(documents: DocumentMode, components: ComponentMode, granularity: Granularity) -> Strategy:
    """Return the strategy of two modes."""
    reasoning: Reasoning = "component" if components == "llm reasoning" else "none"
    return {
        "scope": "local" if documents == "neighbors" else "global",
        "granularity": granularity,
        "reasoning": "both" if documents == "llm reasoning" else reasoning,
    }
