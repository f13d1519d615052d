"""Measurements of a run as one JSON file: identifiers and numbers, no text of the corpora."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from backtrail.tools.atomic_file import write_atomically

Scores = list[float | None]
_DIGITS = 4


class Table(BaseModel):
    """Scores of the same items (questions, layouts) by method and measure, in the order of ``ids``."""

    ids: list[str]
    scores: dict[str, dict[str, Scores]] = Field(default_factory=dict)

    def add(self, method: str, measure: str, scores: Iterable[float | None]) -> None:
        """Add the scores of a measure; one that applies to no item is left out."""
        rounded = [None if score is None else _short(score) for score in scores]
        if any(score is not None for score in rounded):
            self.scores.setdefault(method, {})[measure] = rounded


class Measured(BaseModel):
    """One run. ``tables`` are compared item by item, ``numbers`` by simple differences."""

    model_config = ConfigDict(extra="forbid")

    made: dict[str, str] = Field(default_factory=dict, description="Commit and environment.")
    skipped: dict[str, str] = Field(default_factory=dict, description="Parts that were not measured, and why.")
    tables: dict[str, Table] = Field(default_factory=dict)
    numbers: dict[str, dict[str, float]] = Field(default_factory=dict, description="By group and name.")

    def write(self, file: Path) -> None:
        """Write the run with one list per line, for readable diffs of the baseline."""
        write_atomically(file, one_list_a_line(self.model_dump()) + "\n")


def read_measured(file: Path) -> Measured | None:
    """Read the run in a file; None if there is no such file."""
    return Measured.model_validate_json(file.read_bytes()) if file.exists() else None


def one_list_a_line(value: object, indent: str = "") -> str:
    """Format JSON with indented objects and one list per line; lists of objects have one object per line."""
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        return "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in value) + "\n]"
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if not value:
        return "{}"
    inner = indent + " "
    lines = (f"{inner}{json.dumps(key)}: {one_list_a_line(one, inner)}" for key, one in value.items())
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _short(number: float) -> float:
    return int(number) if number == int(number) else round(number, _DIGITS)
