"""Result type of the checks of ``backtrail doctor``."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Finding(NamedTuple):
    """One finding of a check."""

    name: str
    state: Literal["ok", "note", "broken"]
    detail: str
