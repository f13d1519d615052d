"""Errors of evaluations, for the operator.

EvalError
├── QuestionsError      a file of questions that cannot be used (names file and line)
├── TaskUnknown         no task of that name (lists those that exist)
├── TaskDataMissing     the questions of a task are not on this machine (says how to get them)
├── JudgingUnknown      no judging of that name (lists those that exist)
├── FormatError         an official release that cannot be turned into a bundle (names file and line)
├── TableError          a file of a published table that cannot be used
├── TableUnknown        no published table of that name (lists those that exist)
├── ManifestError       a manifest that cannot be read, or that can no longer be run as it was
└── ResultsError        a folder of results that is in use or damaged
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from backtrail.tools.errors import BacktrailError


class EvalError(BacktrailError):
    """Base class of errors of an evaluation; a question that fails is an outcome, not an error."""


class QuestionsError(EvalError):
    """A file of questions that cannot be used; ``line`` is 1-based, None for the file as a whole."""

    def __init__(self, file: Path, line: int | None, problem: str) -> None:
        place = f"{file}:{line}" if line is not None else str(file)
        super().__init__(f"{place}: {problem}")
        self.file = file
        self.line = line


class JudgingUnknown(EvalError):
    """No judging of that name."""

    def __init__(self, name: str, existing: Iterable[str]) -> None:
        super().__init__(f"No judging {name!r}. Existing: {', '.join(existing)}.")
        self.name = name


class FormatError(EvalError):
    """A release of a benchmark with an unexpected layout; ``line`` is 1-based, None for the whole file."""

    def __init__(self, file: Path, line: int | None, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}." if line is not None else f"{file} {problem}.")
        self.file = file
        self.line = line


class TaskUnknown(EvalError):
    """No task of that name."""

    def __init__(self, name: str, existing: Iterable[str], advice: str) -> None:
        super().__init__(f"No task {name!r}. Existing: {', '.join(sorted(existing))}. {advice}")
        self.name = name


class TaskDataMissing(EvalError):
    """A task whose questions are not on this machine."""

    def __init__(self, task: str, file: Path, advice: str) -> None:
        super().__init__(f"The questions of {task!r} are not at {file}. {advice}")
        self.file = file


class TableError(EvalError):
    """A file of a published table with a wrong layout."""

    def __init__(self, file: Path, problem: str) -> None:
        super().__init__(f"{file}: {problem}.")
        self.file = file


class TableUnknown(EvalError):
    """No published table of that name."""

    def __init__(self, name: str, existing: Iterable[str]) -> None:
        super().__init__(f"No table {name!r}. Existing (paper and number): {', '.join(existing)}.")
        self.name = name


class ManifestError(EvalError):
    """A manifest of a reproduction that cannot be read, or that can no longer be run as it was."""


class ResultsError(EvalError):
    """A folder of results that another process writes to, or whose file is damaged."""
