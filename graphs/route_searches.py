"""Route after planned searches: read what was found, or answer without evidence."""

from __future__ import annotations

from typing import Literal

from backtrail.state.memory import Memory


def evidence(state: Memory) -> Literal["answer", "answer_alone"]:
    """Read what was found; with nothing found, answer from own knowledge or abstain."""
    return "answer" if state.get("ranking") else "answer_alone"
