"""Write a reproduced table: report, figures, plot and manifest in one folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backtrail.evals.reproduction.comparable import reasons
from backtrail.evals.reproduction.figures import Line, lines_of
from backtrail.evals.reproduction.files import as_csv, as_latex
from backtrail.evals.reproduction.manifest import manifest
from backtrail.evals.reproduction.markdown_table import markdown, not_comparable
from backtrail.evals.reproduction.plan import Choice, Plan
from backtrail.evals.reproduction.plot import as_svg
from backtrail.evals.runner import Evaluation
from backtrail.tools.atomic_file import write_atomically


def write(
    folder: Path, plan: Plan, evaluated: Mapping[tuple[str, ...], Evaluation], choice: Choice, *, sample: bool
) -> tuple[str, dict[str, Any]]:
    """Write the files, each atomically; return the report as text and as an object."""
    lines = lines_of(plan, evaluated)
    record = manifest(plan, evaluated, choice, sample=sample)
    text = markdown(plan, lines, evaluated)
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "table.md": text,
        "table.csv": as_csv(plan.table, lines),
        "table.tex": as_latex(plan.table, lines) + _as_remarks(not_comparable(plan, evaluated)),
        "table.svg": as_svg(plan.table, lines),
        "manifest.json": json.dumps(record, indent=1, ensure_ascii=False) + "\n",
    }
    for name, content in files.items():
        write_atomically(folder / name, content)
    return text, _as_object(plan, lines, evaluated, folder)


def _as_remarks(text: str) -> str:
    """Return a text as LaTeX comments, so that the limits of the comparison stay with the table."""
    return "".join(f"% {line}\n" for line in text.splitlines())


def _as_object(
    plan: Plan, lines: Sequence[Line], evaluated: Mapping[tuple[str, ...], Evaluation], folder: Path
) -> dict[str, Any]:
    return {
        "table": plan.table.name,
        "folder": str(folder),
        "lines": [
            {
                "row": line.row.name,
                "variant": line.variant,
                "same run as": line.run_of or None,
                "asked": dict(line.questions),
                "left": dict(line.remaining),
                "failed": {
                    name: [{"id": one.id, "error": one.error} for one in failed] for name, failed in line.failed.items()
                },
                "figures": [
                    {
                        "benchmark": one.column.benchmark, "column": one.column.name, "metric": one.column.metric,
                        "published": one.published, "ours": one.value, "low": one.low, "high": one.high,
                        "difference": one.difference, "questions": one.count, "p": one.p,
                    }
                    for one in line.figures
                ],
            }
            for line in lines
        ],
        "not comparable": [
            {"row": run.row.name, "variant": run.variant, "benchmark": run.benchmark, "why": why}
            for run in plan.runs
            if run.key in evaluated and (why := reasons(plan, run, evaluated[run.key]))
        ],
        "lacking": [{"benchmark": lack.benchmark, "why": lack.reason, "how": lack.remedy} for lack in plan.missing],
    }  # fmt: skip
