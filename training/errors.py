"""Errors of annotation and training, for the operator.

TrainingError
├── AnnotationsError     a folder of annotations that is in use, damaged, or of other models
├── AnnotationStopped    an annotation run that ended before all questions were finished
├── SampleError          a sample that cannot be drawn or exported as requested
├── RowsError            a file of training data that cannot be used (names file and line)
└── FinetuneError        a training that cannot start or resume
"""

from __future__ import annotations

from pathlib import Path

from backtrail.tools.errors import BacktrailError


class TrainingError(BacktrailError):
    """Base class of errors of annotation and training."""


class AnnotationsError(TrainingError):
    """A folder of annotations that cannot be written to or read."""


class AnnotationStopped(TrainingError):
    """The run ended early; finished questions are kept."""


class SampleError(TrainingError):
    """A sample that cannot be drawn or exported as requested."""


class RowsError(TrainingError):
    """A file of training data that cannot be used; ``line`` is 1-based, None for the file as a whole."""

    def __init__(self, file: Path, line: int | None, problem: str) -> None:
        place = f"{file}:{line}" if line is not None else str(file)
        super().__init__(f"{place}: {problem}")
        self.file = file
        self.line = line


class FinetuneError(TrainingError):
    """A training that cannot start or resume."""
