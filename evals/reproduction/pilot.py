"""Pilot: estimate calls, tokens, dollars and hours of a table from a few questions of each run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from backtrail.evals.bootstrap import bootstrap_interval
from backtrail.evals.outcome import Outcome
from backtrail.evals.reproduction.plan import Plan
from backtrail.evals.results import read_outcomes
from backtrail.evals.runner import Evaluation, Job
from backtrail.evals.sampling import drawn

_NAMED = 2
SEED = 0
"""Seed of the sample of a pilot."""
MEASURES = ("calls", "input tokens", "output tokens", "dollars", "hours")


@dataclass(frozen=True)
class Estimate:
    """Estimated cost of the ``remaining`` questions of a run: for each measure the total with 95 % interval.

    Hours are wall time at the concurrency of the job. The interval is a bootstrap over the questions of the pilot, and
    does not cover questions unlike them.
    """

    label: str
    benchmark: str
    pilot_questions: int
    remaining: int
    totals: Mapping[str, tuple[float, float, float]]


def piloted(job: Job, number: int | None) -> Job:
    """Return the job over a random sample of its questions, as the first ones are seldom typical.

    Without a number the job itself. The sample is deterministic, and a larger one contains a smaller one.
    """
    return job if number is None else replace(job, questions=drawn(job.questions, number, SEED))


def estimates(plan: Plan, evaluated: Mapping[tuple[str, ...], Evaluation]) -> list[Estimate]:
    """Return one estimate per job; a job without a successful question is left out."""
    found: list[Estimate] = []
    for key, job in plan.jobs().items():
        if key not in evaluated:
            continue
        asked = [outcome for _, outcome in evaluated[key].pairs if outcome.error is None]
        finished = read_outcomes(evaluated[key].folder)
        left = sum((question.id, question.fingerprint) not in finished for question in job.questions)
        if asked:
            rows = np.array([_spent(outcome, job.concurrency) for outcome in asked])
            totals = {name: _total(rows[:, place], left) for place, name in enumerate(MEASURES)}
            found.append(Estimate(_called(plan, key), job.task.name, len(asked), left, totals))
    return found


def _called(plan: Plan, key: tuple[str, ...]) -> str:
    """Name the first rows that a run is for."""
    rows = list(dict.fromkeys(f"{run.row.name} ({run.variant})" for run in plan.runs if run.key == key))
    more = [f"{len(rows) - _NAMED} more"] if len(rows) > _NAMED else []
    return ", ".join([*rows[:_NAMED], *more])


def summed(found: list[Estimate]) -> dict[str, float]:
    """Return the totals over all runs."""
    return {name: sum(one.totals[name][0] for one in found) for name in MEASURES}


def _spent(outcome: Outcome, concurrency: int) -> tuple[float, ...]:
    judge = outcome.judge_usage or {"calls": 0, "input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}
    return (
        outcome.calls + judge["calls"],
        outcome.input_tokens + judge["input_tokens"],
        outcome.output_tokens + judge["output_tokens"],
        outcome.cost_usd + judge["cost_usd"],
        outcome.seconds / 3600 / concurrency,
    )


def _total(values: np.ndarray, left: int) -> tuple[float, float, float]:
    low, high = bootstrap_interval([float(value) for value in values])
    return float(values.mean()) * left, low * left, high * left
