"""Which questions a calibration asks: those of tasks that are at hand, and such as a corpus gives itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backtrail.evals.calibration.generated import generated_questions
from backtrail.evals.errors import TaskDataMissing, TooFewQuestions
from backtrail.evals.questions import Question
from backtrail.evals.task import Task
from backtrail.evals.tasks.examples import EXAMPLES
from backtrail.evals.tasks.table import find_tasks
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.corpus.open import open_corpus

MADE = "made-"
"""What the name of a task begins with whose questions are made from its corpus."""


@dataclass(frozen=True)
class GeneratedTask(Task):
    """Questions made from the corpus itself; there is no file of them."""

    count: int = 0

    def read(self) -> list[Question]:
        """The questions.

        Raises:
            CorpusNotFound: no such corpus.
        """
        return generated_questions(self.corpus, self.count)


def generated_task(corpus: str, count: int) -> GeneratedTask:
    """A task over questions made from a corpus's own tables and sentences."""
    return GeneratedTask(
        name=f"{MADE}{corpus}", corpus=corpus, questions=EXAMPLES.questions, scorers=EXAMPLES.scorers,
        description=f"Questions made from the tables and sentences of {corpus!r}.", setup="", count=count,
    )  # fmt: skip


def tasks_at_hand(names: Iterable[str]) -> tuple[list[Task], dict[str, str]]:
    """The tasks whose questions and corpora are here, and why the others are not.

    Raises:
        TooFewQuestions: there are none.
    """
    found: list[Task] = []
    missing: dict[str, str] = {}
    for task in (one for name in names for one in find_tasks(name)):
        try:
            task.read()
            open_corpus(task.corpus)
        except (TaskDataMissing, CorpusNotFound) as error:
            missing[task.name] = str(error)
        else:
            found.append(task)
    if not found:
        raise TooFewQuestions(0, 0, 0)
    return found, missing
