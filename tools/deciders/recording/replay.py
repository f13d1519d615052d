"""Replay recorded decisions without live calls; a missing record is an error."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar, cast

from pydantic import BaseModel, ValidationError

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.offline.extract import type_as_written
from backtrail.tools.deciders.errors import BrokenRecord, MissingRecord
from backtrail.tools.deciders.protocol import Decided, PictureAttachment
from backtrail.tools.deciders.recording.record_file import model_folder, read_record, record_key, record_path
from backtrail.tools.errors import SettingsError

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class ReplayingDecider:
    """Answers from the records of a model, with the recorded charges.

    Args:
        folder: the folder of the recording, with one subfolder per model.
        model: name of the recorded model.
    """

    def __init__(self, folder: Path, model: str) -> None:
        self.name = model
        self._folder = folder

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Look up one decision.

        Raises:
            MissingRecord: no record has these inputs and this wording of the prompt.
            BrokenRecord: the record cannot be read, or its output is not or no longer valid.
        """
        return await asyncio.to_thread(self._replay, decision, inputs, pictures)

    def _records(self) -> Path:
        return model_folder(self._folder, self.name)

    def _replay(self, decision: Decision[I, O], inputs: I, pictures: Sequence[PictureAttachment]) -> Decided[O]:
        key, _ = record_key(decision, inputs, pictures)
        path = record_path(self._records(), decision.name, key)
        record = read_record(path)
        if record is None:
            asked = getattr(inputs, "subtask", None) or getattr(inputs, "question", "")
            raise MissingRecord(
                f"No record of {decision.name!r} for {asked!r} ({path}). Its prompt or inputs have changed, or it "
                f"was never recorded. Run again with BACKTRAIL_RECORD set to the folder, and without BACKTRAIL_REPLAY."
            )
        try:
            output = cast(O, type_as_written(decision.output, record.output).model_validate(record.output))
        except ValidationError as error:
            raise BrokenRecord(f"{path} no longer fits {decision.name!r}: {error}. Record it again.") from error
        if problems := decision.check(inputs, output):
            raise BrokenRecord(f"{path} is not valid for {decision.name!r}: {' '.join(problems)}")
        return Decided(output, record.charge, f"recorded {record.model}", tuple(record.notes))


class RecordedModel(ReplayingDecider):
    """``recorded:FOLDER``: a folder of records in place of a model.

    Args:
        folder: one model's records, or a folder with those of exactly one model.
        name: its name in the settings.
    """

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(folder, name)

    def _records(self) -> Path:
        folder = self._folder.expanduser()
        if not folder.is_dir():
            raise SettingsError(f"{self.name!r}: there is no folder {folder}.")
        if any(folder.glob("*.json")):
            return folder
        models = sorted(path for path in folder.iterdir() if path.is_dir())
        if len(models) != 1:
            found = ", ".join(path.name for path in models) or "nothing"
            raise SettingsError(
                f"{self.name!r} must contain the records of one model; it contains {found}. Name one of them."
            )
        return models[0]
