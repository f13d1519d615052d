"""Errors of preparing data for planners and training them, for the operator.

TrainingError
├── AnnotationsError     a folder of annotations that is in use, damaged, or holds those of other models
├── AnnotationStopped    a run of annotation that had to end before all questions were done
├── SampleError          classes that cannot be drawn from as asked
├── RowsError            a file of training data that cannot be used (names file and line)
├── FinetuneError        a training that cannot start, or not go on from where it was
├── TooFewToRank         too few recorded questions to learn weights of a ranking from
├── WeightsError         a file that holds no weights of a ranking
└── UnknownSignals       signals to learn that no candidate has
"""

from __future__ import annotations

from collections.abc import Sequence
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


class TooFewToRank(TrainingError):
    """Too few recorded questions have a right thing beside wrong ones to learn weights from."""

    def __init__(self, of: str, questions: int, teaching: int, least: int) -> None:
        super().__init__(
            f"Weights of {of} need {least} questions with a right one among others; of {questions} to learn from "
            f"{teaching} have that. Record more, of more than one corpus: --task, --questions or --generate."
        )
        self.teaching = teaching


class WeightsError(TrainingError):
    """A file that does not hold weights of candidates and of quotes."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"{file} holds no weights of a ranking. It must be JSON with a number for each signal under "
            '"candidates" and under "quotes", as this command writes it.'
        )
        self.file = file


class UnknownSignals(TrainingError):
    """Signals whose weights should be learnt, and that no candidate of the recorded questions has."""

    def __init__(self, names: Sequence[str], known: Sequence[str]) -> None:
        super().__init__(f"No candidate has the signals {', '.join(names)}. There are {', '.join(known)}.")
        self.names = tuple(names)
