"""A calibration for people: the curve, what each corpus gets when it is held out, and where it is kept."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from backtrail.cli.show.console import out
from backtrail.evals.calibration.run import Calibrated
from backtrail.evals.calibration.told import by_corpus, points


def show_calibration(found: Calibrated, file: Path | None) -> None:
    """Print it."""
    held = by_corpus(found)
    shares = [f"{point['coverage']:.0%}" for point in points(found, None)]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("held out", "questions", "read", "right", "high", "right", *shares):
        table.add_column(heading, justify="left" if heading == "held out" else "right")
    for name, one in held.items():
        of_share = {f"{point['coverage']:.0%}": f"{point['right']:.0%}" for point in one["curve"]}
        table.add_row(
            name, *(str(one[key]) for key in ("questions", "read", "right", "high", "high_right")),
            *(of_share.get(share, "–") for share in shares),
        )  # fmt: skip
    rights = [f"{point['right']:.0%}" for point in points(found, None)]
    sums = [str(sum(one[key] for one in held.values())) for key in ("questions", "read", "right", "high", "high_right")]
    table.add_row("all", *sums, *rights, style="bold")
    out.print("Right of the surest so many questions, each corpus by a model of the others:")
    out.print(table)
    calibration = found.calibration
    out.print(f"high from {calibration.high:.2f}, medium from {calibration.medium:.2f}", style="bold")
    if calibration.high >= 1.0:
        out.print("No probability is high: too few of the surest readings are right.", style="yellow")
    out.print(f"kept in {file}" if file else "not kept; leave out --dry-run to use it", style="dim", soft_wrap=True)
