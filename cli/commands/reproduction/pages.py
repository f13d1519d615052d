"""HTML pages of a reproduced table: the questions of each benchmark with the answers of every row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backtrail.evals.reproduction.plan import Plan, PlannedRun
    from backtrail.evals.runner import Evaluation


def write_pages(folder: Path, plan: Plan, evaluated: Mapping[tuple[str, ...], Evaluation]) -> list[Path]:
    """Write ``<benchmark>.html`` for each benchmark atomically. Rows that share a run are shown once."""
    from backtrail.cli.show.eval_page import eval_page
    from backtrail.tools.atomic_file import write_atomically

    written: list[Path] = []
    for benchmark in dict.fromkeys(run.benchmark for run in plan.runs):
        runs = [run for run in plan.runs if run.benchmark == benchmark and run.key in evaluated]
        first: dict[tuple[str, ...], PlannedRun] = {}
        for run in runs:
            first.setdefault(run.key, run)
        shown = [replace(evaluated[key], method=f"{run.job.label} [{run.row.name}]") for key, run in first.items()]
        if shown:
            task = runs[0].job.task
            title = f"{plan.table.name}: {plan.table.benchmarks[benchmark].name}"
            file = folder / f"{benchmark}.html"
            write_atomically(file, eval_page(title, task.scorers, shown, task.by))
            written.append(file)
    return written
