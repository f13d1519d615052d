"""Decider that opens on first use, in a thread: importing a client takes seconds and reads the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.tools.deciders.protocol import Decided, Decider, PictureAttachment

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class LazyDecider:
    """Proxy of a decider that is opened when needed; creating it does not block an event loop."""

    def __init__(self, name: str, open_decider: Callable[[], Decider]) -> None:
        self.name = name
        self._open = open_decider
        self._opened: Decider | None = None
        self._opening = threading.Lock()

    def __repr__(self) -> str:
        return f"LazyDecider({self.name!r})"

    @property
    def opened(self) -> Decider | None:
        """The decider behind the proxy; None before first use."""
        return self._opened

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Take one decision. Raises what opening the decider or the decider itself raises."""
        decider = self._opened or await asyncio.to_thread(self._open_once)
        return await decider.decide(decision, inputs, pictures, allowance=allowance)

    def _open_once(self) -> Decider:
        with self._opening:  # in a thread: waiting here blocks no event loop
            if self._opened is None:
                self._opened = self._open()
            return self._opened
