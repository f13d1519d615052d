"""The evaluations of a training, kept in its folder as they come."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from backtrail.training.finetune import processes
from backtrail.training.finetune.callbacks import Watcher
from backtrail.training.finetune.folder import EVALUATIONS, write_json


class Evaluations:
    """Written by the first process alone; told to whoever watches, with the steps."""

    def __init__(self, folder: Path, watcher: Watcher) -> None:
        self._file = folder / EVALUATIONS
        self._watcher = watcher
        self._held: list[dict[str, Any]] = []

    @property
    def last(self) -> dict[str, Any]:
        """The last one; empty before there is any."""
        return self._held[-1] if self._held else {}

    def go_on(self) -> None:
        """Take up those of an earlier run."""
        if self._file.is_file():
            self._held = json.loads(self._file.read_text(encoding="utf-8"))

    def add(self, measures: dict[str, Any]) -> None:
        """Add one; those of a run that went further and is repeated from here are dropped."""
        self._held = [*(one for one in self._held if one["step"] < measures["step"]), measures]
        if processes.is_first():
            write_json(self._file, self._held)
        self._watcher.evaluated(measures)

    def step(self, done: int, steps: int) -> None:
        """A step is done."""
        self._watcher.step(done, steps)
