"""The shape of a rule: a pure function on a decision's inputs, which gives its output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

Rule = Callable[[Any], BaseModel]
Rules = Mapping[str, Rule]
"""By the name of the decision."""
