"""FiF's parameters and ablation switches."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class FifSettings(BaseModel):
    """Parameters and ablation switches of FiF (section 5.5 of the paper; defaults marked ours)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    shortlist: int = Field(
        default=30, ge=1, le=200, description="Candidates handed to reasoning at either stage (C.2)."
    )
    documents_per_hop: int = Field(default=10, ge=1, le=50, description="Documents a hop keeps (ours).")
    components_per_hop: int = Field(default=15, ge=1, le=100, description="Components a hop keeps (ours).")
    opening: int = Field(
        default=4,
        ge=1,
        le=20,
        description="Most steps that rules take before the first model call; not in the variant published (ours).",
    )
    hybrid: bool = Field(
        default=True,
        description="Hybrid search (BM25 and vectors) at every layer; never in the variant published.",
    )
    backtracking: bool = Field(default=True, description="Re-anchor to earlier steps; off: anchor is the last hop.")
    reasoning: bool = Field(default=True, description="Reasoning reranks shortlists; off: vectors alone.")
    global_hop: bool = Field(default=True, description="Global scope after the first hop; off: local hops only.")
    compute: bool = Field(
        default=True, description="Compute over tables with a model; never in the variant published (ours)."
    )
    gather: bool = Field(
        default=True,
        description="Gather the rest of a document, all documents of a folder or all places with a phrase, with a "
        "model; never in the variant published (ours).",
    )
    summarise: bool = Field(
        default=True,
        description="Summarise documents and folders part by part with a model; never in the variant published (ours).",
    )
    granularity: bool = Field(
        default=True, description="Adaptive granularity; off: each stage compares at its own layer."
    )
    planner: bool = Field(default=True, description="Replan; off: the first decomposition stays.")
