"""backtrail calibrate: how sure rules must be of what they read, from questions with known answers."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands.eval import EvalBar
from backtrail.cli.commands.options import METHOD_HELP, AsJson, method_of, settings_from

if TYPE_CHECKING:
    from backtrail.evals.calibration.run import Calibrated
    from backtrail.evals.runner import Job
    from backtrail.evals.task import Task

DEFAULT_TASKS = ("examples", "ottqa", "wild")


def calibrate(
    task: Annotated[
        list[str] | None, typer.Option(help="Ask the questions of this task. Repeatable.", show_default="those at hand")
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(help="Ask questions of your own (JSON lines); needs --corpus.", dir_okay=False)
    ] = None,
    corpus: Annotated[str | None, typer.Option(help="The corpus of --questions.")] = None,
    generate: Annotated[
        list[str] | None,
        typer.Option(metavar="CORPUS", help="Ask questions made from this corpus's tables and sentences. Repeatable."),
    ] = None,
    generated: Annotated[int, typer.Option(min=10, max=2_000, help="Questions made from each corpus.")] = 120,
    limit: Annotated[int, typer.Option(min=1, max=20_000, help="Most questions of a task.")] = 2_000,
    method: Annotated[str, typer.Option("--method", "-m", help=METHOD_HELP)] = "fif",
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Questions asked at once.")] = 2,
    store: Annotated[bool, typer.Option("--store/--dry-run", help="Keep the calibration in home, and use it.")] = True,
    as_json: AsJson = False,
) -> None:
    """Calibrate how sure reading without a model is, and keep it in home in place of the packaged calibration.

    Asks questions with known answers offline, fits a logistic model of what tells right readings from wrong ones, and
    judges it on the corpora it was not fitted on. Stopped and started again, it goes on where it was.
    """
    jobs = _jobs(task, questions, corpus, generate, generated, limit, method, concurrency)
    try:
        found = asyncio.run(_run(jobs, shown=not as_json))
    except KeyboardInterrupt:
        from backtrail.cli.show.console import err

        err.print("Stopped. What is finished is kept; the same command goes on from here.")
        raise
    from backtrail.tools.calibration import keep_calibration

    file = keep_calibration(found.calibration) if store else None
    if as_json:
        print(json.dumps(_plain(found, file), ensure_ascii=False))
        return
    from backtrail.cli.show.calibration_lines import show_calibration

    show_calibration(found, file)


def _jobs(
    task: list[str] | None,
    questions: Path | None,
    corpus: str | None,
    generate: list[str] | None,
    generated: int,
    limit: int,
    method: str,
    concurrency: int,
) -> list[Job]:
    """One for each task, file of questions and corpus that questions are made from."""
    from backtrail.evals.calibration.tasks import generated_task, tasks_at_hand
    from backtrail.evals.questions import selected
    from backtrail.evals.runner import Job
    from backtrail.evals.tasks.custom import custom_task
    from backtrail.evals.tasks.table import find_tasks

    if (questions is None) != (corpus is None):
        raise typer.BadParameter("questions of your own need --questions FILE and --corpus NAME.")
    asked: list[Task] = [one for name in task or () for one in find_tasks(name)]
    if questions is not None and corpus is not None:
        asked.append(custom_task(questions, corpus))
    asked += [generated_task(name, generated) for name in generate or ()]
    if not asked:
        asked, missing = tasks_at_hand(DEFAULT_TASKS)
        _tell_missing(missing)
    name, varied = method_of(method)
    command = shlex.join(["backtrail", *sys.argv[1:]])
    jobs: list[Job] = []
    for one in asked:
        settings = settings_from(None, {"offline.short_from": "low", **varied, "corpus": one.corpus, **_OFFLINE})
        jobs.append(Job(one, name, settings, selected(one.read(), 0, limit), concurrency, command=command))
    return jobs


_OFFLINE = dict.fromkeys(("planner", "reader", "vlm", "expert", "judge"), "offline")


def _tell_missing(missing: dict[str, str]) -> None:
    from backtrail.cli.show.console import err

    for name, why in missing.items():
        err.print(f"Left out {name}: {why}", style="dim", soft_wrap=True)


async def _run(jobs: list[Job], *, shown: bool) -> Calibrated:
    from backtrail.evals.calibration.run import calibrate as run
    from backtrail.tools.toolbox import Toolbox

    with EvalBar(shown=shown) as bar:
        return await run(jobs, Toolbox(), bar)


def _plain(found: Calibrated, file: Path | None) -> dict[str, Any]:
    from backtrail.evals.calibration.told import by_corpus, points

    return {
        "calibration": found.calibration.model_dump(),
        "curve": points(found, None),
        "held_out": by_corpus(found),
        "stored": str(file) if file else None,
    }
