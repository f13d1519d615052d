"""A run as the streams "tasks" and "values" of its graph tell of it, put together to its latest moment."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from backtrail.server.ui.engine.protocol import Moment

STREAMS = ("tasks", "values")

_SAID = ("messages", "question", "image")
"""What a state holds of a question before anything was made of it."""


class Growing:
    """Takes in what a run streams; ``moment`` is where it stands.

    Args:
        begun: whether a node has run for this question. Until then, the state is that of the question before.
    """

    def __init__(self, moment: Moment, *, begun: bool) -> None:
        self.moment = moment
        self._begun = begun

    def take(self, mode: str, chunk: Any) -> bool:
        """One event; whether it changed anything."""
        if not isinstance(chunk, dict):
            return False
        if mode == "values":
            said = chunk if self._begun else {key: chunk[key] for key in _SAID if key in chunk}
            self.moment = replace(self.moment, values=said)
        elif mode == "tasks" and "triggers" in chunk:
            self.moment = replace(self.moment, nodes=(*self.moment.nodes, str(chunk.get("name"))))
        elif mode == "tasks":
            self._begun = True
            nodes = list(self.moment.nodes)
            with suppress(ValueError):
                nodes.remove(str(chunk.get("name")))
            self.moment = replace(self.moment, nodes=tuple(nodes))
        else:
            return False
        return True
