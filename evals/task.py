"""Task: a corpus, questions about it, and their scorers."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.evals.errors import QuestionsError, TaskDataMissing
from backtrail.evals.pictures import with_kept_picture
from backtrail.evals.questions import Question, read_questions
from backtrail.evals.scorer import Scorer


@dataclass(frozen=True)
class Task:
    """A benchmark. ``questions`` returns the expected file; ``setup`` says how to get the data.

    ``short_answers``: rules give short answers at any confidence, as exact match and F1 need; else they answer as
    they answer people.

    ``by`` names tags by whose values the report breaks scores down. ``part`` selects the questions of one corpus from
    a file of several.
    """

    name: str
    corpus: str
    questions: Callable[[], Path]
    scorers: tuple[Scorer, ...]
    description: str
    setup: str
    by: tuple[str, ...] = ()
    part: str = ""
    short_answers: bool = True

    @property
    def settings(self) -> dict[str, Any]:
        """Default settings of the task."""
        return {"offline.min_confidence": "low"} if self.short_answers else {}

    def read(self) -> list[Question]:
        """Read the questions and store their pictures in home.

        Raises:
            TaskDataMissing: there is no such file.
            QuestionsError: it cannot be used, or holds no question of this part.
        """
        file = self.questions()
        if not file.is_file():
            raise TaskDataMissing(self.name, file, self.setup)
        ours = [question for question in read_questions(file) if not self.part or question.corpus == self.part]
        if not ours:
            raise QuestionsError(file, None, f"holds no question whose corpus is {self.part!r}")
        return [with_kept_picture(question, file) for question in ours]


@dataclass(frozen=True)
class Suite:
    """Tasks that are reported together, each with its own corpus; scorers and tags are the same."""

    name: str
    tasks: tuple[Task, ...]
    description: str


def data_file(*parts: str) -> Callable[[], Path]:
    """Return a function that gives a file in ``$BACKTRAIL_DATA``; the variable is read on each call."""
    return lambda: Path(os.environ.get("BACKTRAIL_DATA") or "$BACKTRAIL_DATA").expanduser().joinpath(*parts)


def shipped_file(*parts: str) -> Callable[[], Path]:
    """Return a function that gives a file of the package, or of the same folder of a checkout."""
    return lambda: Path(__file__).resolve().parents[1].joinpath(*parts)
