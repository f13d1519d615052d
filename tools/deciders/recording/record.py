"""Record the decisions of a decider, so that they can be replayed without it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.variant import VariantName
from backtrail.tools.deciders.protocol import Decided, Decider, PictureAttachment
from backtrail.tools.deciders.recording.record_file import Record, model_folder, record_key, write_record

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class RecordingDecider:
    """Passes every decision to a decider and records it. Failures are not recorded.

    Args:
        variant: variant of the run; None outside of runs.
    """

    def __init__(self, decider: Decider, folder: Path, variant: VariantName | None = None) -> None:
        self.name = decider.name
        self._decider = decider
        self._variant: VariantName | None = variant
        self._folder = model_folder(folder, decider.name)

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Take one decision and record it. Raises what the wrapped decider raises."""
        decided = await self._decider.decide(decision, inputs, pictures, allowance=allowance)
        await asyncio.to_thread(self._keep, decision, inputs, pictures, decided)
        return decided

    def _keep(
        self, decision: Decision[I, O], inputs: I, pictures: Sequence[PictureAttachment], decided: Decided[O]
    ) -> None:
        key, prompt = record_key(decision, inputs, pictures)
        asked = getattr(inputs, "subtask", None) or getattr(inputs, "question", "")
        record = Record(
            decision=decision.name,
            model=self.name,
            key=key,
            prompt=prompt,
            asked=str(asked),
            output=decided.output.model_dump(mode="json"),
            charge=decided.charge,
            notes=list(decided.notes),
            variant=self._variant,
        )
        write_record(self._folder, record)
