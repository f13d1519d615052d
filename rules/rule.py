"""Type of a rule: a pure function from a decision's inputs to its output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

Rule = Callable[[Any], BaseModel]
Rules = Mapping[str, Rule]
"""Rules by name of the decision."""
