"""Decider that answers repeated inputs from its records."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.usage import charge
from backtrail.tools.deciders.errors import MissingRecord
from backtrail.tools.deciders.protocol import Decided, Decider, PictureAttachment, at_once
from backtrail.tools.deciders.recording.record import RecordingDecider
from backtrail.tools.deciders.recording.record_file import (
    model_folder,
    read_record,
    record_from,
    record_key,
    record_path,
    record_text,
    write_record,
)
from backtrail.tools.deciders.recording.replay import ReplayingDecider
from backtrail.tools.journal.shared import SharedJournal

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class CachingDecider:
    """Records a decider's decisions and returns a record, free of charge, instead of asking again.

    Args:
        folder: folder of the records, one file each.
        journal: shares records with other machines; None keeps them local.
    """

    def __init__(self, decider: Decider, folder: Path, journal: SharedJournal | None = None) -> None:
        self.name = decider.name
        self._decider = decider
        self._recording = RecordingDecider(decider, folder)
        self._records = ReplayingDecider(folder, decider.name)
        self._folder = model_folder(folder, decider.name)
        self._journal = journal

    @property
    def at_once(self) -> int:
        """As for the wrapped decider."""
        return at_once(self._decider)

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Read one decision from its record, or take it. Raises what the wrapped decider raises."""
        try:
            record = await self._replay(decision, inputs, pictures)
        except MissingRecord:
            decided = await self._recording.decide(decision, inputs, pictures, allowance=allowance)
            await asyncio.to_thread(self._share, decision, inputs, pictures)
            return decided
        return Decided(record.output, charge(), record.decider, record.notes)

    async def _replay(self, decision: Decision[I, O], inputs: I, pictures: Sequence[PictureAttachment]) -> Decided[O]:
        try:
            return await self._records.decide(decision, inputs, pictures)
        except MissingRecord:
            if not await asyncio.to_thread(self._fetch, decision, inputs, pictures):
                raise
        return await self._records.decide(decision, inputs, pictures)

    def _fetch(self, decision: Decision[Any, Any], inputs: BaseModel, pictures: Sequence[PictureAttachment]) -> bool:
        """Copy another machine's record from the journal, if there is one."""
        if self._journal is None:
            return False
        key = self._key(decision, record_key(decision, inputs, pictures)[0])
        text = self._journal.get([key]).get(key)
        if text is not None:
            write_record(self._folder, record_from(text, f"{key} in the journal"))
        return text is not None

    def _share(self, decision: Decision[Any, Any], inputs: BaseModel, pictures: Sequence[PictureAttachment]) -> None:
        if self._journal is None:
            return
        key, _ = record_key(decision, inputs, pictures)
        record = read_record(record_path(self._folder, decision.name, key))
        if record is not None:
            self._journal.put(self._key(decision, key), record_text(record))

    def _key(self, decision: Decision[Any, Any], key: str) -> str:
        return f"{self._folder.name}/{decision.name}-{key}"
