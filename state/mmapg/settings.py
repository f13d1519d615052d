"""Parameters and ablation switches of MMAPG."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class MmapgSettings(BaseModel):
    """Parameters and ablation switches of MMAPG, each with its source."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    turns: int = Field(
        default=10, ge=1, le=100, description="Most planning turns, k in the paper, which gives no value (ours)."
    )
    text_radius: float | None = Field(
        default=None, ge=0.0, le=2.0,
        description="Largest cosine distance r_t of candidate entries of KB_text; none: the corpus's own.",
    )  # fmt: skip
    image_radius: float | None = Field(
        default=None, ge=0.0, le=2.0,
        description="Largest cosine distance r_i of candidate pictures of KB_img; none: the corpus's own.",
    )  # fmt: skip
    candidates: int = Field(
        default=20,
        ge=1,
        le=200,
        description="Most examined candidates of each knowledge base, and as many of its lexical search (ours).",
    )
    chunk: int = Field(
        default=10, ge=1, le=50,
        description="Most texts examined in one call (pictures: as many as `pictures`); one in the variant published.",
    )  # fmt: skip
    sources: int = Field(default=10, ge=1, le=50, description="Most sources that a retrieval keeps (ours).")
    knowledge: Literal["auto", "triplets", "corpus"] = Field(
        default="auto",
        description="KB_text: triplets, the corpus's sentences and rows, or (auto) triplets if it has any.",
    )
    links: bool = Field(
        default=True,
        description="Retrievals may follow the links of their parents' sources; never in the variant published.",
    )
    side_by_side: bool = Field(
        default=False, description="The planner may plan independent nodes together (ours); off: one at a time."
    )
    graph_guided: bool = Field(
        default=True, description="Nodes may start from any earlier node; off: a single path of retrievals and answers."
    )
    retrieval_module: bool = Field(
        default=True, description="The six steps of retrieval; off: components most similar to the instruction."
    )
