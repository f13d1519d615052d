"""A task: a corpus, questions about it, and how they are scored."""

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
    """A benchmark. ``questions`` is where the file should be; ``setup`` says how to get corpus and questions.

    ``short_answers``: rules say what they read however unsure they are, as exact match and F1 ask; else they answer as
    they answer people.

    ``by`` names tags of the questions: the report tells the scores of each of their values too. ``part`` is set
    where a file holds the questions of several corpora: those of the others are left out.
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
        """Settings that the task runs with unless others are asked for."""
        return {"offline.short_from": "low"} if self.short_answers else {}

    def read(self) -> list[Question]:
        """The questions, their pictures stored where a run looks for them.

        Raises:
            TaskDataMissing: the file is not there.
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
    """Tasks that are told together, each with a corpus of its own; their scorers and tags are the same."""

    name: str
    tasks: tuple[Task, ...]
    description: str


def data_file(*parts: str) -> Callable[[], Path]:
    """A file in the folder of public corpora, ``$BACKTRAIL_DATA``; looked up when it is needed."""
    return lambda: Path(os.environ.get("BACKTRAIL_DATA") or "$BACKTRAIL_DATA").expanduser().joinpath(*parts)


def shipped_file(*parts: str) -> Callable[[], Path]:
    """A file that comes with the package; a checkout has it in the folder of the same name."""
    return lambda: Path(__file__).resolve().parents[1].joinpath(*parts)
