"""Parameters and ablation switches of HM-RAG."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

SourceName = Annotated[str, StringConstraints(max_length=32, pattern=r"^[a-z][a-z0-9_]{0,31}$")]


class HmRagSettings(BaseModel):
    """Parameters and ablation switches of HM-RAG. The paper gives none of the numbers; they are ours."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sources: tuple[SourceName, ...] = Field(
        default=("vector", "graph", "web"), min_length=1, max_length=8,
        description="Agents that answer, separated by commas; leave one out to ablate it.",
    )  # fmt: skip
    decomposition: bool = Field(
        default=True, description="Split questions with several intents; off: ask each question whole."
    )
    complete_question: bool = Field(
        default=False,
        description="Put what a picture shows into a question of one intent before searching (ours); one call.",
    )
    decision_agent: bool = Field(
        default=True, description="Vote, merge, refine; off: the first source, in their order, that has an answer."
    )
    threshold: float = Field(default=0.5, gt=0.0, le=1.0, description="Least similarity of answers that agree.")
    rouge_weight: float = Field(default=0.5, ge=0.0, le=1.0, description="Weight of ROUGE-L in the similarity.")
    bleu_weight: float = Field(default=0.5, ge=0.0, le=1.0, description="Weight of BLEU in the similarity.")
    contest: bool = Field(
        default=True,
        description="A better supported answer sends an agreement to the expert; never in the variant published.",
    )
    summary_words: int = Field(
        default=12, ge=0, le=200, description="Words up to which an answer is voted on without a summary."
    )
    entities: int = Field(default=10, ge=0, le=100, description="Most entities that low-level keywords match.")
    relations: int = Field(default=20, ge=0, le=100, description="Most relations that high-level keywords match.")
    relevance: float = Field(
        default=0.4, ge=-1.0, le=1.0, description="Least cosine similarity τ of matching entities and relations."
    )
    subgraph_tokens: int = Field(
        default=2000, ge=100, le=50_000, description="Most tokens of the triplets that the graph agent reads."
    )
    subgraph_texts: int = Field(
        default=10, ge=0, le=50, description="Most source components of those triplets that the graph agent reads too."
    )
    expert_evidence: int = Field(
        default=30, ge=1, le=100, description="Most components that the expert reads, cited ones first."
    )

    @field_validator("sources", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        # the command line and environment variables have no lists
        return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value

    @model_validator(mode="after")
    def _usable(self) -> Self:
        if len(set(self.sources)) < len(self.sources):
            raise ValueError(f"the sources {', '.join(self.sources)} name one twice")
        if not self.rouge_weight + self.bleu_weight:
            raise ValueError("rouge_weight and bleu_weight are both 0, so no two answers could ever agree")
        return self
