"""backtrail doctor: check everything that a run needs."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from backtrail.cli.commands.options import AsJson

COLOURS = {"ok": ("✓", "green"), "note": ("·", "yellow"), "broken": ("✗", "red")}


Probing = Annotated[
    bool, typer.Option("--probe", help="Send each configured model one small request and list its capabilities.")
]


def doctor(as_json: AsJson = False, probe: Probing = False) -> None:
    """Check the installation, the corpora and the configured models. Keys are never printed.

    Exit status 1 if anything is broken.
    """
    from backtrail.cli.commands.doctor_checks import examine

    findings = list(examine(probing=probe))
    if as_json:
        print(json.dumps({"checks": [finding._asdict() for finding in findings]}, ensure_ascii=False))
    else:
        from rich.text import Text

        from backtrail.cli.show.console import out

        for finding in findings:
            mark, colour = COLOURS[finding.state]
            out.print(
                Text.assemble((f"{mark} ", colour), (f"{finding.name:<13}", "bold"), finding.detail), soft_wrap=True
            )
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(1)
