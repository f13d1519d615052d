"""A decider that asks once: what it decided before for the same inputs is read from its records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.usage import charge
from backtrail.tools.deciders.errors import MissingRecord
from backtrail.tools.deciders.protocol import Decided, Decider, PictureAttachment
from backtrail.tools.deciders.recording.record import RecordingDecider
from backtrail.tools.deciders.recording.replay import ReplayingDecider

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class RememberingDecider:
    """Records what a decider decides, and gives a record instead of asking again. A record costs nothing."""

    def __init__(self, decider: Decider, folder: Path) -> None:
        self.name = decider.name
        self._asking = RecordingDecider(decider, folder)
        self._records = ReplayingDecider(folder, decider.name)

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Take one decision, or read it. Raises what the wrapped decider raises."""
        try:
            held = await self._records.decide(decision, inputs, pictures)
        except MissingRecord:
            return await self._asking.decide(decision, inputs, pictures, allowance=allowance)
        return Decided(held.output, charge(), held.decider, held.notes)
