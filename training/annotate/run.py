"""Annotate a set of questions in parallel, store each when it is finished, resume after a kill."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from backtrail.evals.questions import Question
from backtrail.nodes.reading.pictures import mime_of
from backtrail.prompts.render import load_prompt
from backtrail.state.decision import Decision, Role
from backtrail.state.judge_decisions import JUDGE_ANSWER
from backtrail.state.own_knowledge_decisions import ANSWER_ALONE
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.usage import Charge
from backtrail.state.vqa_planner.annotation_decisions import ANNOTATE_GOLD_QUERY, ANNOTATE_IMAGE_QUERY
from backtrail.tools.deciders.protocol import DecisionFailed, PictureAttachment
from backtrail.tools.errors import ModelError, SettingsError
from backtrail.tools.toolbox import Toolbox
from backtrail.training.annotate.annotation import Annotation, fingerprint
from backtrail.training.annotate.annotator import Annotator, Terms
from backtrail.training.annotate.journal import Journal, open_journal
from backtrail.training.annotate.pictures import QuestionUnusable, usable_picture
from backtrail.training.errors import AnnotationStopped
from backtrail.training.planner_prompt import PICTURE_LABEL

_ROLES: tuple[Role, ...] = ("reader", "expert", "judge")
_DECISIONS: tuple[Decision[Any, Any], ...] = (ANSWER_ALONE, ANNOTATE_GOLD_QUERY, ANNOTATE_IMAGE_QUERY, JUDGE_ANSWER)
FAILURES_IN_A_ROW = 10
"""Consecutive questions with a model failure that end the run: the model is at fault, not the questions (ours)."""


@dataclass(frozen=True)
class Job:
    """One annotation run.

    Args:
        file: the file of questions; pictures are below its folder.
        settings: models of the roles reader (the learner), expert (the annotator) and judge; the budget.
        retry_failed: annotate only questions that failed before.
        fresh: set an earlier annotation in the folder aside.
    """

    file: Path
    questions: Sequence[Question]
    folder: Path
    settings: Settings
    terms: Terms = field(default_factory=Terms)
    concurrency: int = 1
    retry_failed: bool = False
    fresh: bool = False


@dataclass(frozen=True)
class Annotated:
    """Finished questions of a job in order, the number finished in this run, and the total charge."""

    annotations: list[Annotation]
    done: int
    spent: Charge


class Watcher(Protocol):
    """Receives the progress of an annotation."""

    def begin(self, waiting: int, finished: int) -> None:
        """Called before the first question."""
        ...

    def advance(self, annotation: Annotation) -> None:
        """Called when a question is finished."""
        ...


class Unwatched:
    """Ignores progress."""

    def begin(self, waiting: int, finished: int) -> None:
        """Do nothing."""

    def advance(self, annotation: Annotation) -> None:
        """Do nothing."""


async def annotate_all(job: Job, toolbox: Toolbox, watcher: Watcher | None = None) -> Annotated:
    """Run a job. After a kill, a second start repeats no decision.

    A question without a usable picture, or with a failed decision, is recorded as failed.

    Raises:
        SettingsError: no learner is named.
        AnnotationsError: the folder is in use, damaged, or holds annotations of other models.
        AnnotationStopped: the budget is spent, or a model failed on many questions in a row.
        BacktrailError: a model cannot be opened.
    """
    if job.settings.reader == OFFLINE:
        raise SettingsError(
            "Annotation needs the model that the planner is trained for, as its answers decide the classes. "
            "Name it with --reader provider:model."
        )
    watcher = watcher or Unwatched()
    run = await asyncio.to_thread(_run_of, job)
    for role in _ROLES:
        toolbox.decider(role, job.settings)
    with open_journal(job.folder, run, fresh=job.fresh) as journal:
        waiting = [question for question in job.questions if _is_due(journal.of(question), job.retry_failed)]
        watcher.begin(len(waiting), sum(1 for question in job.questions if journal.of(question)))
        annotator = Annotator(toolbox, job.settings, job.terms, journal)
        await _all(iter(waiting), annotator, job, journal, watcher)
        finished = [found for question in job.questions if (found := journal.of(question))]
        return Annotated(finished, len(waiting), journal.spent)


def counted(annotations: Sequence[Annotation]) -> dict[str, int]:
    """Count the questions by class, excluded, or failed."""
    return dict(sorted(Counter(one.label or one.outcome for one in annotations).items()))


def _run_of(job: Job) -> dict[str, Any]:
    """Return the options that all annotations of a folder share."""
    return {
        "questions": str(job.file.resolve()),
        "models": {role: job.settings.model_for(role) for role in _ROLES},
        "temperature": job.settings.temperature,
        "terms": asdict(job.terms),
        "prompts": {decision.name: load_prompt(decision.name).file.hash[:16] for decision in _DECISIONS},
    }


def _is_due(before: Annotation | None, retry_failed: bool) -> bool:
    if retry_failed:
        return before is not None and before.outcome == "failed"
    return before is None


async def _all(waiting: Iterator[Question], annotator: Annotator, job: Job, journal: Journal, watcher: Watcher) -> None:
    """Annotate the questions in order, ``job.concurrency`` at a time."""
    folder = job.file.resolve().parent
    in_a_row = 0

    async def work() -> None:
        nonlocal in_a_row
        for question in waiting:
            try:
                annotation = await annotator.annotate(question, await _picture(folder, question))
                in_a_row = 0
            except (QuestionUnusable, DecisionFailed) as error:
                annotation = _failed(question, error)
            except ModelError as error:
                annotation = _failed(question, error)
                in_a_row += 1
            journal.keep(annotation)
            watcher.advance(annotation)
            if in_a_row >= FAILURES_IN_A_ROW:
                raise AnnotationStopped(
                    f"A model failed on {in_a_row} questions in a row, last on {question.id!r}: {annotation.why} "
                    "Finished questions are kept. When the model works again, repeat the command with --retry-failed, "
                    "and then without."
                )

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(max(1, job.concurrency)):
                workers.create_task(work())
    except* AnnotationStopped as stopped:
        raise stopped.exceptions[0] from None


async def _picture(folder: Path, question: Question) -> PictureAttachment:
    if not question.answers:
        raise QuestionUnusable("the question has no gold answer to judge by")
    path, _ = await asyncio.to_thread(usable_picture, folder, question.image)
    content = await asyncio.to_thread(path.read_bytes)
    return PictureAttachment(content, mime_of(content), PICTURE_LABEL)


def _failed(question: Question, error: Exception) -> Annotation:
    return Annotation(
        id=question.id,
        fingerprint=fingerprint(question),
        question=question.question,
        image=question.image,
        outcome="failed",
        why=f"{type(error).__name__}: {error}"[:1000],
    )
