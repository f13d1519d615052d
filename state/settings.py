"""Settings: the context schema of every graph, and the form in LangGraph Studio.

JSON-able fields only, each documented and bounded. A graph reads only its context, which an assistant or a caller of
``invoke`` passes. The command line builds it from options, environment variables, the settings file and the defaults
here, in descending precedence.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from backtrail.state.chat.settings import HumanInputSettings
from backtrail.state.cogplanner.settings import CogPlannerSettings
from backtrail.state.document_predicates import ID, PREDICATES, read_predicate, split_entries
from backtrail.state.fif.settings import FifSettings
from backtrail.state.hm_rag.settings import HmRagSettings
from backtrail.state.ircot.settings import IrcotSettings
from backtrail.state.lilac.settings import LilacSettings
from backtrail.state.mmapg.settings import MmapgSettings
from backtrail.state.offline.settings import OfflineSettings
from backtrail.state.omnisearch.settings import OmniSearchSettings
from backtrail.state.page_images.settings import PageImagesSettings
from backtrail.state.self_rag.settings import SelfRagSettings
from backtrail.state.variant import OURS, VariantName
from backtrail.state.vqa_planner.settings import VqaPlannerSettings
from backtrail.state.web_settings import WebSettings

OFFLINE = "offline"

ModelName = Annotated[str, Field(max_length=1_000)]
"""A provider with a model, the address of a server or the path of a checkpoint; bounded (ours)."""


PATTERNS = 100
"""Each is compared with every id of the corpus (ours)."""
DocumentId = Annotated[str, Field(min_length=1, max_length=1_000)]


class Budget(BaseModel):
    """Hard ceilings of one run; None means no ceiling. Checked before each call."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    steps: int = Field(default=10, ge=1, le=200, description="Most orchestrator actions (hops, plans) of a run.")
    calls: int | None = Field(default=None, ge=0, description="Most model calls.")
    input_tokens: int | None = Field(default=None, ge=0, description="Most input tokens.")
    output_tokens: int | None = Field(default=None, ge=0, description="Most output tokens.")
    usd: float | None = Field(default=None, ge=0, description="Most US dollars, by the price table.")
    seconds: float | None = Field(default=None, gt=0, description="Most seconds of measured work.")


class Settings(BaseModel):
    """Settings of a run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    corpus: str = Field(default="examples", min_length=1, max_length=64, description="Name of the ingested corpus.")
    documents: tuple[DocumentId, ...] = Field(
        default=(),
        max_length=10_000,
        description="Documents to search and read, separated by commas or as a JSON list: ids, patterns in which `*` "
        f"matches any text (`guide/*`), and predicates ({PREDICATES}). Entries of one field are alternatives. Empty: "
        "all.",
    )
    variant: VariantName = Field(
        default=OURS,
        description="The method as improved here (ours), or with the calls, prompt inputs and retrieval of its paper "
        "(published).",
    )
    edges: Literal["all", "links"] = Field(
        default="all",
        description="Edges that a traversal follows: authors' links alone, or also references in texts, shared rare "
        "names, and places in a site or folder; as published links alone.",
    )
    k: int = Field(default=10, ge=1, le=100, description="Components to rank, read and cite.")
    planner: ModelName = Field(
        default=OFFLINE,
        description="Model that decomposes, orchestrates, plans and chooses searches: 'provider:model'.",
    )
    reader: ModelName = Field(default=OFFLINE, description="Model that reads evidence and writes the answer.")
    vlm: ModelName = Field(default=OFFLINE, description="Vision-language model that examines pictures (MMAPG).")
    expert: ModelName = Field(
        default=OFFLINE,
        description="Strong model: settles what HM-RAG's agents leave open, annotates training questions.",
    )
    judge: ModelName = Field(default=OFFLINE, description="Model that judges answers after a run (evaluations).")
    pictures: int = Field(default=4, ge=0, le=16, description="Most pictures shown to a vision model at once.")
    knowledge: Literal["method", "evidence", "both", "own"] = Field(
        default="method",
        description="What an answer may be based on: evidence, evidence first and then the model's knowledge (both), "
        "or that alone (own); by default as in the method's paper. Own knowledge is marked, never cited.",
    )
    picture_side: int = Field(
        default=1024, ge=128, le=4096,
        description="Longest side in pixels of pictures sent to hosted models; larger ones are scaled down. Small "
        "print needs more.",
    )  # fmt: skip
    temperature: float = Field(default=0.0, ge=0.0, le=2.0, description="Sampling temperature of every model call.")
    effort: Literal["default", "minimal", "low", "medium", "high"] = Field(
        default="default", description="Reasoning effort of models, where the provider supports it."
    )
    seed: int | None = Field(default=None, ge=0, description="Seed of sampled replies, where the provider supports it.")
    output_version: Literal["v0", "v1"] = Field(
        default="v0",
        description="Content of the answer's message, named as in LangChain: a text (v0), or content blocks with "
        "citations as annotations (v1).",
    )
    budget: Budget = Field(default=Budget(), description="Hard ceilings of a run.")
    human: HumanInputSettings = Field(default=HumanInputSettings(), description="When a run asks a person.")
    offline: OfflineSettings = Field(default=OfflineSettings(), description="Reading without a model.")
    fif: FifSettings = Field(default=FifSettings(), description="FiF's parameters and ablation switches.")
    lilac: LilacSettings = Field(default=LilacSettings(), description="Parameters of the baseline LILaC.")
    ircot: IrcotSettings = Field(default=IrcotSettings(), description="Parameters of the baseline IRCoT.")
    page_images: PageImagesSettings = Field(
        default=PageImagesSettings(), description="Parameters of the baseline over page pictures."
    )
    web: WebSettings = Field(default=WebSettings(), description="Web search and what may be fetched.")
    cogplanner: CogPlannerSettings = Field(default=CogPlannerSettings(), description="CogPlanner's parameters.")
    self_rag: SelfRagSettings = Field(default=SelfRagSettings(), description="Parameters of self-reflective RAG.")
    vqa_planner: VqaPlannerSettings = Field(default=VqaPlannerSettings(), description="The VQA planner's parameters.")
    omnisearch: OmniSearchSettings = Field(default=OmniSearchSettings(), description="Parameters of OmniSearch.")
    hm_rag: HmRagSettings = Field(default=HmRagSettings(), description="HM-RAG's parameters and ablation switches.")
    mmapg: MmapgSettings = Field(default=MmapgSettings(), description="MMAPG's parameters and ablation switches.")

    @field_validator("documents", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        # the command line and environment variables have no lists; ids may contain commas
        if not isinstance(value, str):
            return value
        if value.lstrip().startswith("["):
            try:
                return json.loads(value)
            except RecursionError:
                raise ValueError("lists in it are nested too deeply") from None
        return split_entries(value)

    @field_validator("documents")
    @classmethod
    def _valid_predicates(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        selects = sum("*" in one.value or one.field != ID for one in map(read_predicate, value))
        if selects > PATTERNS:
            raise ValueError(f"{selects} of them are patterns or predicates, at most {PATTERNS} may; name ids")
        return value

    def model_for(self, role: Literal["planner", "reader", "vlm", "expert", "judge"]) -> str:
        """Return the configured model of a role."""
        return str(getattr(self, role))
