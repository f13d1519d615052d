"""Run: ask questions with known answers, and make a calibration of what rules read for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from backtrail.evals.calibration.case import Case, cases_of
from backtrail.evals.calibration.curve import levels
from backtrail.evals.calibration.fit import Held, check, fit, held_out, weights_of
from backtrail.evals.calibration.tasks import GeneratedTask
from backtrail.evals.runner import Job, Watcher, evaluate
from backtrail.rules.reader.calibration import Calibration, Made, Weighed
from backtrail.tools.toolbox import Toolbox


@dataclass(frozen=True)
class Calibrated:
    """A calibration, the cases it was made of, and the held-out probabilities by which it is judged."""

    calibration: Calibration
    cases: list[Case]
    held: Held


async def calibrate(jobs: Sequence[Job], toolbox: Toolbox, watcher: Watcher | None = None) -> Calibrated:
    """Ask what was not asked yet, and fit. Stopped and started again, it goes on where it was.

    Raises:
        TooFewQuestions: too little was read, rightly or wrongly.
    """
    cases: list[Case] = []
    for job in jobs:
        done = await evaluate(job, toolbox, watcher)
        cases += cases_of(job.task.name, done.pairs, made=isinstance(job.task, GeneratedTask))
    return made_of(cases, jobs[0].method)


def made_of(cases: Sequence[Case], method: str) -> Calibrated:
    """The calibration of these cases.

    Levels begin where held-out readings, each judged by a model of the other corpora, are right often enough: those of
    people's questions where there are enough of them, as made ones are easier.

    Raises:
        TooFewQuestions: too little was read, rightly or wrongly.
    """
    check(cases)
    read = [case for case in cases if case.read]
    held = held_out(cases)
    model = fit(read, held.strength)
    corpora = list(dict.fromkeys(case.corpus for case in cases))
    medium, high = levels(held)
    calibration = Calibration(
        intercept=round(model.intercept, 4),
        signals={
            name: Weighed(mean=mean, spread=spread, weight=weight)
            for name, (mean, spread, weight) in weights_of(model).items()
        },
        medium=medium,
        high=high,
        made=Made(
            read={corpus: sum(case.corpus == corpus for case in read) for corpus in corpora},
            right={corpus: sum(case.corpus == corpus and case.right for case in read) for corpus in corpora},
            method=method,
            date=datetime.now(UTC).date().isoformat(),
        ),
    )
    return Calibrated(calibration, list(cases), held)
