"""Errors of preparing data for planners and training them, for the operator.

TrainingError
├── AnnotationsError     a folder of annotations that is in use, damaged, or holds those of other models
├── AnnotationStopped    a run of annotation that had to end before all questions were done
├── SampleError          classes that cannot be drawn from as asked
├── RowsError            a file of training data that cannot be used (names file and line)
└── FinetuneError        a training that cannot start, or not go on from where it was
"""

from __future__ import annotations

from pathlib import Path

from backtrail.tools.errors import BacktrailError


class TrainingError(BacktrailError):
    """Root of what can go wrong around training."""


class AnnotationsError(TrainingError):
    """A folder of annotations that cannot be written to or read."""


class AnnotationStopped(TrainingError):
    """The run ended early; what was finished is kept."""


class SampleError(TrainingError):
    """Classes that cannot be drawn from as asked."""


class RowsError(TrainingError):
    """A file of training data that cannot be used; ``line`` is 1-based, None for the file as a whole."""

    def __init__(self, file: Path, line: int | None, problem: str) -> None:
        place = f"{file}:{line}" if line is not None else str(file)
        super().__init__(f"{place}: {problem}")
        self.file = file
        self.line = line


class FinetuneError(TrainingError):
    """A training that cannot start, or not go on from where it was."""
