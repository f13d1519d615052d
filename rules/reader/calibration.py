"""Calibration: how likely a reading is right, told by its signals.

A logistic model over standardised signals (Platt, 1999, with several inputs). Its coefficients are a small file that
people can read; ``backtrail calibrate`` makes it anew. Two probabilities cut it into low, medium and high.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from backtrail.rules.reader.signals import SIGNALS
from backtrail.state.offline.extract import Level

PACKAGED = "calibration.json"


class Weighed(BaseModel):
    """A signal: its mean and spread over the questions of the calibration, and the weight of one spread."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    mean: float
    spread: float = Field(gt=0.0)
    weight: float


class Made(BaseModel):
    """What a calibration was made of: how many questions of which corpus were read, and how many rightly."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    read: dict[str, int]
    right: dict[str, int]
    method: str
    date: str


class Calibration(BaseModel):
    """From signals to a probability, and from a probability to a level."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    intercept: float
    signals: dict[str, Weighed]
    medium: float = Field(ge=0.0, le=1.0, description="Least probability of medium confidence.")
    high: float = Field(ge=0.0, le=1.0, description="Least probability of high confidence.")
    made: Made

    @model_validator(mode="after")
    def _of_these_signals(self) -> Self:
        if set(self.signals) != set(SIGNALS):
            raise ValueError("it weighs other signals than this version reads")
        if self.medium > self.high:
            raise ValueError("medium begins above high")
        return self

    def probability(self, signals: Mapping[str, float]) -> float:
        """Of readings with such signals the share that is right, in [0, 1]; nothing read is never right."""
        if not signals:
            return 0.0
        total = self.intercept + sum(
            one.weight * (signals.get(name, one.mean) - one.mean) / one.spread for name, one in self.signals.items()
        )
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))

    def level(self, probability: float, *, says_enough: bool = True) -> Level:
        """Low, medium or high; what leaves much of the question unsaid is not high (``signals.says_enough``)."""
        if probability >= self.high and says_enough:
            return "high"
        return "medium" if probability >= self.medium else "low"


@cache
def packaged() -> Calibration:
    """The calibration that comes with the package."""
    return Calibration.model_validate_json(files(__package__ or "").joinpath(PACKAGED).read_text(encoding="utf-8"))
