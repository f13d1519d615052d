"""Parameters of the search over page pictures."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

PageModelKind = Literal["late-interaction", "cross-modal"]


class PageImagesSettings(BaseModel):
    """The search over page pictures (ColPali and VisRAG in the FiF paper, section 5.1)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: PageModelKind = Field(
        default="late-interaction",
        description="Kind of the model that embedded the pages: several vectors per page (ColPali), or one (VisRAG).",
    )
