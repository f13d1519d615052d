"""Settings of web search: provider, amount, language and limits.

On a server they come from the client, so nothing here can widen what may be fetched: keys, service addresses, the
upload hook, robots and loopback come from the operator's environment alone (``backtrail.tools.web.environment``).
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from backtrail.state.extensions import extensions

PROVIDERS = ("corpus", "serpapi", "serper", "none")


class WebSettings(BaseModel):
    """How the web, or the corpus in its place, is searched and read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: str = Field(
        default="corpus",
        description="Search provider: the ingested corpus, SerpApi, Google Serper, none, or an installed extension.",
        json_schema_extra={"enum": [*PROVIDERS, *extensions("search_providers")]},
    )
    pages: int = Field(default=5, ge=1, le=20, description="Pages per text search (CogPlanner 6.1.3).")
    page_tokens: int = Field(
        default=800, ge=50, le=8000, description="Most tokens of a page that are kept (CogPlanner 6.1.3)."
    )
    passages: Literal["best", "first"] = Field(
        default="best", description="Tokens kept of a long page: the most relevant to the query, or the first."
    )
    min_images: int = Field(
        default=3, ge=1, le=12, description="Pictures kept even if weak; fewer are reported (CogPlanner 4.2.2)."
    )
    max_images: int = Field(default=6, ge=1, le=12, description="Pictures kept at most (CogPlanner 4.2.2).")
    language: str = Field(
        default="en",
        max_length=8,
        pattern=r"^[a-z]{2,3}(-[A-Za-z]{2,4})?$",
        description="Language of the results, as in 'zh-cn'.",
    )
    country: str = Field(default="us", max_length=2, pattern=r"^[a-z]{2}$", description="Country of the search.")
    reader: Literal["own", "jina"] = Field(
        default="own", description="What turns pages into text: this process, or the Jina reader service."
    )
    cache_hours: float = Field(
        default=168.0, ge=0, le=8760, description="How long searches, pages and pictures are kept; 0 keeps nothing."
    )
    search_timeout: float = Field(default=30.0, gt=0, le=120, description="Seconds one request to a provider may take.")
    fetch_timeout: float = Field(
        default=15.0, gt=0, le=120, description="Seconds a page or picture may take, with its redirects."
    )
    page_bytes: int = Field(
        default=5_000_000, ge=10_000, le=20_000_000, description="Most bytes of a page; a larger one is not read."
    )
    picture_bytes: int = Field(
        default=10_000_000, ge=10_000, le=20_000_000, description="Most bytes of a picture; a larger one is not kept."
    )

    @field_validator("provider")
    @classmethod
    def _known(cls, name: str) -> str:
        known = (*PROVIDERS, *extensions("search_providers"))
        if name not in known:
            raise ValueError(f"use one of: {', '.join(known)}")
        return name

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_images > self.max_images:
            raise ValueError(f"min_images {self.min_images} is more than max_images {self.max_images}")
        return self
