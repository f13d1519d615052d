"""Options of ``backtrail reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_WHAT, _COST = "What is run", "What it may cost"

Paper = Annotated[
    str | None, typer.Argument(metavar="PAPER", help="Paper, e.g. fif, or a TOML file.", show_default="list all tables")
]
TableNumber = Annotated[str | None, typer.Argument(metavar="TABLE", help="Number of the table.", show_default="all")]
Rows = Annotated[
    list[str] | None,
    typer.Option(
        "--row", help="Run only rows whose name contains this. Repeatable.", show_default="all", rich_help_panel=_WHAT
    ),
]
Variant = Annotated[str, typer.Option(help="published, ours, or both (two lines per row).", rich_help_panel=_WHAT)]
On = Annotated[
    list[str] | None,
    typer.Option(metavar="BENCHMARK=TASK", help="Use another task for a benchmark. Repeatable.", rich_help_panel=_WHAT),
]
Small = Annotated[
    bool,
    typer.Option(
        "--small",
        help="Use made-up samples in the official layouts, to test that a table runs.",
        rich_help_panel=_WHAT,
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(min=1, help="Number of questions of each benchmark.", show_default="all", rich_help_panel=_WHAT),
]
Sample = Annotated[
    int | None,
    typer.Option(metavar="SEED", help="Random seed of the draw.", show_default="the first ones", rich_help_panel=_WHAT),
]
Stratify = Annotated[
    str | None,
    typer.Option(
        metavar="TAG",
        help="Tag whose shares a draw keeps; '' draws from all questions alike.",
        show_default="the task's first",
        rich_help_panel=_WHAT,
    ),
]
From = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="MANIFEST", help="Repeat the runs of this manifest.", show_default=False,
        rich_help_panel=_WHAT,
    ),
]  # fmt: skip
ThoughChanged = Annotated[
    bool,
    typer.Option(
        "--though-changed",
        help="Run a manifest even if code, prompts or questions have changed.",
        rich_help_panel=_WHAT,
    ),
]
Check = Annotated[
    bool, typer.Option("--check", help="Only list what can be run and what is missing.", rich_help_panel=_COST)
]
Pilot = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Ask N questions of each run and estimate the rest.", show_default=False,
        rich_help_panel=_COST,
    ),
]  # fmt: skip
BudgetUsd = Annotated[
    float | None,
    typer.Option(
        min=0, help="Maximum US dollars of this command; run it again to continue.", show_default="none",
        rich_help_panel=_COST,
    ),
]  # fmt: skip
Concurrency = Annotated[int, typer.Option(min=1, max=256, help="Questions asked at once; use 1 to measure latency.")]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Repeat only the failed questions.")]
Report = Annotated[
    bool,
    typer.Option("--report", help="Also write an HTML page per benchmark: every row's answer, trail and cost."),
]
Out = Annotated[
    Path | None,
    typer.Option(help="Folder of reports, files and manifests.", show_default="reproductions/ in home"),
]
