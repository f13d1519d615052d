"""Runner: ask a method the questions of a task, store each outcome immediately, resume after a kill."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from backtrail.evals.allowance import Allowance
from backtrail.evals.ask_question import Asking, ask, open_resources
from backtrail.evals.gold import with_gold
from backtrail.evals.identity import identity
from backtrail.evals.judging import missing_judgings, with_judgings
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.ray_workers import QuestionWorkers
from backtrail.evals.results import Results, journal_of, open_results, record_run
from backtrail.evals.scorer import Scorer
from backtrail.evals.task import Task
from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.state.variant import VariantName, label
from backtrail.tools.deciders.protocol import Decider
from backtrail.tools.toolbox import Toolbox


@dataclass(frozen=True)
class Job:
    """One method on the selected questions of a task.

    Args:
        retry_failed: ask only questions that failed before.
        fresh: set earlier results aside and ask everything again.
        allowance: dollars to spend; once they are spent, no further question is asked.
        judgings: names of the judgings of each outcome; only missing ones are made.
        command: recorded with the results, so that they can be reproduced.
    """

    task: Task
    method: str
    settings: Settings
    questions: Sequence[Question]
    concurrency: int = 1
    retry_failed: bool = False
    fresh: bool = False
    judgings: tuple[str, ...] = ()
    command: str = ""
    allowance: Allowance | None = None

    @property
    def label(self) -> str:
        """Name in reports: the method, with its variant where that is not the default."""
        return label(self.method, self.settings.variant)


@dataclass(frozen=True)
class Evaluation:
    """Outcomes of all finished questions of a job, in the order of the questions.

    ``method`` is the job's label; ``questions_run`` counts those asked in this run; ``questions`` are all of the
    job, with their gold.
    """

    method: str
    variant: VariantName
    folder: Path
    questions_run: int
    questions: Sequence[Question]
    pairs: list[tuple[Question, Outcome]]


class Progress(Protocol):
    """Receives the progress of a job."""

    def begin(self, job: Job, waiting: int, finished: int) -> None:
        """Called before the first question, with the numbers of questions to ask and finished before."""
        ...

    def advance(self, outcome: Outcome) -> None:
        """Called when a question is finished."""
        ...


class NoProgress:
    """Ignores progress."""

    def begin(self, job: Job, waiting: int, finished: int) -> None:
        """Do nothing."""

    def advance(self, outcome: Outcome) -> None:
        """Do nothing."""


async def evaluate(
    job: Job, toolbox: Toolbox, watcher: Progress | None = None, askers: QuestionWorkers | None = None
) -> Evaluation:
    """Run a job. After a kill, a second start asks only the unfinished questions.

    A question that raises becomes an outcome with an error; the job continues.

    Args:
        askers: processes that ask the questions; None asks them in this process.

    Raises:
        SettingsError: there is no such method.
        ResultsError: the folder of results is in use or damaged.
        EngineError: the asking processes are lost repeatedly, or have another corpus or other code.
        BacktrailError: the corpus or a model cannot be opened, so no question could be answered.
    """
    watcher = watcher or NoProgress()
    method = find_method(job.method)
    graph = method.build(toolbox).compile(name=method.name)
    corpus = await asyncio.to_thread(open_resources, toolbox, job.settings, method.needs_corpus(job.settings))
    version = corpus.version if corpus else f"web:{job.settings.web.provider}"
    if corpus:
        job = replace(job, questions=await asyncio.to_thread(with_gold, job.questions, corpus))
    who = identity(job.task.name, job.method, job.settings, version)
    with open_results(who.folder, fresh=job.fresh, journal=journal_of(who)) as results:
        record_run(who.folder, who, {"command": job.command, "concurrency": job.concurrency})
        waiting = [question for question in job.questions if _is_due((question, results.of(question)), job)]
        finished = len(job.questions) - len(waiting)
        watcher.begin(job, len(waiting), finished)
        judge = toolbox.decider("judge", job.settings) if job.judgings else None
        here = partial(ask, method, graph, job.settings)
        asking = partial(askers.ask, who, job.settings) if askers else here
        await _ask_all(iter(waiting), asking, judge, job, results, watcher)
        pairs = results.finished(job.questions)
        return Evaluation(job.label, job.settings.variant, who.folder, len(waiting), job.questions, pairs)


def _is_due(before: tuple[Question, Outcome | None], job: Job) -> bool:
    question, outcome = before
    if job.retry_failed:
        return outcome is not None and outcome.error is not None
    return outcome is None or bool(missing_judgings(question, outcome, job.judgings))


async def _ask_all(
    waiting: Iterator[Question],
    asking: Asking,
    judge: Decider | None,
    job: Job,
    results: Results,
    watcher: Progress,
) -> None:
    """Ask the questions in order, ``job.concurrency`` at a time."""

    async def work() -> None:
        for question in waiting:
            if job.allowance is not None and not job.allowance.admits():
                return
            outcome = results.of(question)
            if outcome is None or not missing_judgings(
                question, outcome, job.judgings
            ):  # else only judgings are missing
                outcome = await asking(question)
                if judge is not None:
                    results.append(outcome)  # a kill during judging must not pay for the question again
            if judge is not None:
                outcome = await with_judgings(judge, question, outcome, job.judgings)
            outcome = outcome.model_copy(update={"scores": scores_of(job.task.scorers, question, outcome)})
            results.append(outcome)
            if job.allowance is not None:
                job.allowance.book(outcome)
            watcher.advance(outcome)

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(max(1, job.concurrency)):
                workers.create_task(work())
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed


def scores_of(scorers: Sequence[Scorer], question: Question, outcome: Outcome) -> dict[str, float | None]:
    """Return the scores of one question, by scorer."""
    return {scorer.name: scorer(question, outcome) for scorer in scorers}
