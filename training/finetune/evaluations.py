"""Record the evaluations of a training in its folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from backtrail.training.finetune import processes
from backtrail.training.finetune.callbacks import Watcher
from backtrail.training.finetune.folder import EVALUATIONS, write_json


class Evaluations:
    """Evaluations of a training, written by the first process; steps and evaluations go to the watcher."""

    def __init__(self, folder: Path, watcher: Watcher) -> None:
        self._file = folder / EVALUATIONS
        self._watcher = watcher
        self._entries: list[dict[str, Any]] = []

    @property
    def last(self) -> dict[str, Any]:
        """The last evaluation; empty if there is none."""
        return self._entries[-1] if self._entries else {}

    def go_on(self) -> None:
        """Load the evaluations of an earlier run."""
        if self._file.is_file():
            self._entries = json.loads(self._file.read_text(encoding="utf-8"))

    def add(self, measures: dict[str, Any]) -> None:
        """Add an evaluation; those of an earlier run at the same or later steps are dropped."""
        self._entries = [*(one for one in self._entries if one["step"] < measures["step"]), measures]
        if processes.is_first():
            write_json(self._file, self._entries)
        self._watcher.evaluated(measures)

    def step(self, done: int, steps: int) -> None:
        """Report a step to the watcher."""
        self._watcher.step(done, steps)
