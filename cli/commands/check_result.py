"""Result of a check of ``backtrail doctor``."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Finding(NamedTuple):
    """What a check found out."""

    name: str
    state: Literal["ok", "note", "broken"]
    detail: str
