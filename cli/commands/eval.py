"""backtrail eval: evaluate methods on a task and compare them in a table."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands.options import (
    METHOD_HELP,
    AsJson,
    AskingEngine,
    Assignments,
    Corpus,
    Model,
    method_of,
    settings_from,
)
from backtrail.cli.show.question_bar import QuestionBar

if TYPE_CHECKING:
    from backtrail.evals.outcome import Outcome
    from backtrail.evals.runner import Evaluation, Job
    from backtrail.evals.task import Task
    from backtrail.state.settings import Settings

DEFAULT_METHOD = "fif"
DEFAULT_CONCURRENCY = 4


By = Annotated[
    list[str] | None,
    typer.Option(metavar="TAG", help="Also show scores by the values of this question tag. Repeatable."),
]
Against = Annotated[
    str | None,
    typer.Option(metavar="METHOD", help="Show differences from this method on the same questions."),
]
Report = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", show_default=False,
        help="Write an HTML page with each question's answers, trails, verdicts and cost.",
    ),
]  # fmt: skip
With = Annotated[
    list[Path] | None,
    typer.Option(
        "--with", metavar="RESULTS", show_default=False,
        help="Add an earlier run with other settings or models, by its folder of results. Repeatable.",
    ),
]  # fmt: skip
Judge = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHAT",
        help="Judge outcomes: short, grade, claims, points, errors or citations; by the model of the "
        "setting judge, or by rules without one. Repeatable.",
    ),
]


def eval_command(
    task: Annotated[str, typer.Argument(metavar="TASK", help="Name of a task; custom needs --questions and --corpus.")],
    method: Annotated[
        list[str] | None, typer.Option("--method", "-m", help=METHOD_HELP, show_default=DEFAULT_METHOD)
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(help="Ask the questions of this file instead (JSON lines).", show_default=False)
    ] = None,
    corpus: Corpus = None,
    assignments: Assignments = None,
    model: Model = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Number of questions to ask.", show_default="all")] = None,
    offset: Annotated[int, typer.Option(min=0, help="Number of questions to skip.")] = 0,
    concurrency: Annotated[
        int, typer.Option(min=1, max=256, help="Questions asked at once; use 1 to measure latency.")
    ] = DEFAULT_CONCURRENCY,
    engine: AskingEngine = "local",
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask only the questions that failed again.")
    ] = False,
    by: By = None,
    against: Against = None,
    judge: Judge = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Put earlier results aside and ask everything again.")] = False,
    report: Report = None,
    with_: With = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate methods on a task. Run it again to continue after an interruption.

    Exit status: 0 all well, 1 some questions failed (they score 0 and are listed), 2 nothing could be done.
    """
    from backtrail.evals.earlier_runs import task_of
    from backtrail.evals.judging import find_judgings
    from backtrail.evals.questions import selected
    from backtrail.evals.runner import Job

    judgings = find_judgings(judge or [])
    tasks = [_judged(one) if judgings else one for one in tasks_of(task, questions, corpus)]
    methods = [method_of(name) for name in dict.fromkeys(method or [DEFAULT_METHOD])]
    questions_of = {one.name: selected(one.read(), offset, limit) for one in tasks}
    if not any(questions_of.values()):
        raise typer.BadParameter(f"leaves out all questions of {task!r}.", param_hint="--offset")
    command = shlex.join(["backtrail", *sys.argv[1:]])
    jobs = [
        Job(one, name, _settings(one, corpus, varied, assignments, model), questions_of[one.name], concurrency,
            retry_failed, fresh, judgings, command)
        for name, varied in methods
        for one in tasks
        if questions_of[one.name]
    ]  # fmt: skip
    if against is not None and all(against != job.label for job in jobs):
        raise typer.BadParameter(f"{against!r} is not among the evaluated methods.", param_hint="--against")
    before = {folder: task_of(folder) for folder in with_ or ()}  # check names before hours of work
    evaluated = _evaluated(jobs, engine, shown=not as_json)
    evaluated += [_earlier(folder, its, jobs, evaluated) for folder, its in before.items()]
    if report is not None:
        _write_page(report, task, jobs, evaluated, by)
    _report(task, jobs, evaluated, by, against, as_json=as_json)


def _earlier(folder: Path, its: str, jobs: list[Job], evaluated: list[Evaluation]) -> Evaluation:
    """Load an earlier run and match it with the first run of the same task."""
    from backtrail.evals.earlier_runs import earlier_run

    job, beside = next(
        ((job, one) for job, one in zip(jobs, evaluated, strict=False) if job.task.name == its), (jobs[0], evaluated[0])
    )
    return earlier_run(folder, job.task.name, beside.questions, job.settings.model_dump(mode="json"))


def _judged(task: Task) -> Task:
    """Return the task with the scorers of judges added."""
    from dataclasses import replace

    from backtrail.evals.scorers.judged import judged_scorers

    return replace(task, scorers=(*task.scorers, *judged_scorers()))


def _evaluated(jobs: list[Job], engine: str, *, shown: bool) -> list[Evaluation]:
    try:
        return asyncio.run(_run(jobs, engine, shown=shown))
    except KeyboardInterrupt:
        from backtrail.cli.show.console import err

        err.print("Stopped. Finished questions are kept; run the same command again to continue.")
        raise


def _write_page(file: Path, task: str, jobs: list[Job], evaluated: list[Evaluation], by: list[str] | None) -> None:
    """Write the HTML page of the evaluation atomically."""
    from backtrail.cli.show.console import err
    from backtrail.cli.show.eval_page import eval_page
    from backtrail.tools.atomic_file import write_atomically

    tags = list(dict.fromkeys((*jobs[0].task.by, *(by or ()))))
    write_atomically(file, eval_page(task, jobs[0].task.scorers, evaluated, tags))
    err.print(f"page: {file}", style="dim", soft_wrap=True)


def _report(
    task: str, jobs: list[Job], evaluated: list[Evaluation], by: list[str] | None, against: str | None, *, as_json: bool
) -> None:
    """Print the scores. Raises typer.Exit(1) if a question failed."""
    from backtrail.cli.eval_report import print_json, print_tables
    from backtrail.evals.comparison import comparison
    from backtrail.evals.scorers.common import with_common

    found = comparison(with_common(jobs[0].task.scorers), evaluated)
    tags = list(dict.fromkeys((*jobs[0].task.by, *(by or ()))))
    if as_json:
        print_json(task, jobs, evaluated, found, tags, against)
    else:
        print_tables(found, tags, against)
        _print_folders(evaluated)
    if any(outcome.error is not None for pairs in found.pairs.values() for _, outcome in pairs):
        raise typer.Exit(1)


def tasks_of(name: str, questions: Path | None, corpus: str | None) -> list[Task]:
    """Return the tasks of that name, or a task with the user's own questions."""
    from dataclasses import replace

    from backtrail.evals.tasks.custom import CUSTOM, custom_task
    from backtrail.evals.tasks.table import find_tasks

    if name == CUSTOM:
        if questions is None or corpus is None:
            raise typer.BadParameter(
                "questions of your own need --questions FILE and --corpus NAME.", param_hint="TASK"
            )
        return [custom_task(questions, corpus)]
    tasks = find_tasks(name)
    if corpus is not None and len(tasks) > 1:
        raise typer.BadParameter(
            f"{name!r} has a corpus for each of its tasks. Name one of them: {', '.join(task.name for task in tasks)}.",
            param_hint="--corpus",
        )
    return [replace(task, questions=lambda: questions) if questions else task for task in tasks]


def _settings(
    task: Task, corpus: str | None, varied: Mapping[str, Any], assignments: list[str] | None, model: str | None
) -> Settings:
    """Return the settings of the run. The task's corpus overrides the user's default corpus."""
    from backtrail.tools.settings.keys import parse_assignments

    assigned = parse_assignments(assignments or [])
    own = {key: value for key, value in task.settings.items() if key not in assigned}
    return settings_from(
        assignments, {**own, **varied, "corpus": corpus or assigned.get("corpus") or task.corpus}, model=model
    )


async def _run(jobs: list[Job], engine: str, *, shown: bool) -> list[Evaluation]:
    """Run the methods one after the other, so that they do not slow each other down."""
    from backtrail.evals.ray_workers import question_workers_on
    from backtrail.evals.runner import evaluate
    from backtrail.graphs.methods import find_method
    from backtrail.tools.toolbox import Toolbox

    for job in jobs:  # check all names before the first method runs
        find_method(job.method)
    toolbox = Toolbox()
    at_once = max(job.concurrency for job in jobs)
    with EvalBar(shown=shown) as bar:
        async with question_workers_on(engine, [job.settings for job in jobs], at_once) as askers:
            return [await evaluate(job, toolbox, bar, askers) for job in jobs]


def _print_folders(evaluated: list[Evaluation]) -> None:
    from backtrail.cli.show.console import err

    for one in evaluated:
        left = len(one.questions) - len(one.pairs)
        more = f", {left} not asked yet" if left else ""
        err.print(
            f"{one.method}: {one.questions_run} asked now{more}; results in {one.folder}", style="dim", soft_wrap=True
        )


class EvalBar(QuestionBar):
    """One progress bar per method; implements the ``Progress`` of an evaluation."""

    def begin(self, job: Job, waiting: int, finished: int) -> None:
        """Start the bar of a method."""
        completed = 0 if job.retry_failed else finished
        self.start(job.label, total=waiting + completed, completed=completed)

    def advance(self, outcome: Outcome) -> None:
        """Count a finished question."""
        self.finish_one(failed=outcome.error is not None)
