"""Your own questions over your own corpus: ``backtrail eval custom --questions FILE --corpus NAME``.

JSON lines as in a corpus bundle; see ``backtrail.evals.questions``. Gold is component ids, or evidence in the
documents. Without answers or gold, their scores are left out.
"""

from __future__ import annotations

from pathlib import Path

from backtrail.evals.scorers.cells import cell_f1
from backtrail.evals.scorers.correctness import all_parts, right, wrong
from backtrail.evals.scorers.items import item_precision, item_recall
from backtrail.evals.scorers.quotes import quotes_only
from backtrail.evals.task import Task
from backtrail.evals.tasks.examples import EXAMPLES

CUSTOM = "custom"


def custom_task(questions: Path, corpus: str) -> Task:
    """Return a task over a file of questions."""
    return Task(
        name=CUSTOM,
        corpus=corpus,
        questions=lambda: questions,
        scorers=(
            *EXAMPLES.scorers, right(), wrong(), quotes_only(), all_parts(), item_precision(), item_recall(), cell_f1(),
        ),
        description=f"{questions.name} over the corpus {corpus!r}.",
        setup="Check the path given as --questions.",
        short_answers=False,
    )  # fmt: skip
