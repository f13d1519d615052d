"""The options of ``backtrail reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_WHAT, _COST = "What is run", "What it may cost"

Paper = Annotated[
    str | None, typer.Argument(metavar="PAPER", help="As fif, or a TOML file.", show_default="list all tables")
]
TableNumber = Annotated[str | None, typer.Argument(metavar="TABLE", help="Its number.", show_default="all")]
Rows = Annotated[
    list[str] | None,
    typer.Option(
        "--row", help="Run rows with this in their name. Repeatable.", show_default="all", rich_help_panel=_WHAT
    ),
]
Variant = Annotated[str, typer.Option(help="published, ours, or both: two lines a row.", rich_help_panel=_WHAT)]
On = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BENCHMARK=TASK", help="Ask another task in a benchmark's place. Repeatable.", rich_help_panel=_WHAT
    ),
]
Small = Annotated[
    bool,
    typer.Option(
        "--small",
        help="Ask made-up samples in the official layouts: shows that a table runs.",
        rich_help_panel=_WHAT,
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(min=1, help="Ask so many questions of each benchmark.", show_default="all", rich_help_panel=_WHAT),
]
Sample = Annotated[
    int | None,
    typer.Option(metavar="SEED", help="Draw them by this seed.", show_default="the first ones", rich_help_panel=_WHAT),
]
Stratify = Annotated[
    str | None,
    typer.Option(
        metavar="TAG",
        help="Keep the shares of this tag in a draw; '' draws from all alike.",
        show_default="the task's first",
        rich_help_panel=_WHAT,
    ),
]
From = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="MANIFEST", help="Run again what this manifest names.", show_default=False,
        rich_help_panel=_WHAT,
    ),
]  # fmt: skip
ThoughChanged = Annotated[
    bool,
    typer.Option(
        "--though-changed",
        help="Run a manifest though code, prompts or questions are no longer the same.",
        rich_help_panel=_WHAT,
    ),
]
Check = Annotated[
    bool, typer.Option("--check", help="Only say what is here and what is lacking.", rich_help_panel=_COST)
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
        min=0, help="Most US dollars of this command; it stops there and can go on.", show_default="none",
        rich_help_panel=_COST,
    ),
]  # fmt: skip
Concurrency = Annotated[int, typer.Option(min=1, max=256, help="Questions asked at once; 1 for honest latencies.")]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Ask only failed questions again.")]
Report = Annotated[
    bool,
    typer.Option("--report", help="Write a page of each benchmark's questions too: every row's answer, trail, cost."),
]
Out = Annotated[
    Path | None,
    typer.Option(help="Folder of reports, files and manifests.", show_default="reproductions/ in home"),
]
