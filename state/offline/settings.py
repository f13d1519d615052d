"""Settings of reading without a model."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from backtrail.state.offline.extract import Level
from backtrail.state.variant import VariantName


class OfflineSettings(BaseModel):
    """Least confidence of answers by rules (ours)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    min_confidence: Level | None = Field(
        default=None,
        description="Least confidence of a short answer without a model; below it quotes are shown. low: always short. "
        "None: high, and low in the variant published.",
    )

    def least(self, variant: VariantName) -> Level:
        """Return the level for a variant: ``published`` always answers, as the readers of the papers do."""
        return self.min_confidence or ("low" if variant == "published" else "high")
