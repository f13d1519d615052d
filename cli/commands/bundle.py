"""backtrail bundle: turn the official release of a benchmark into a corpus bundle with questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from backtrail.cli.commands.options import AsJson


def bundle(
    layout: Annotated[str, typer.Argument(metavar="LAYOUT", help="Name, e.g. webqa; a wrong name lists all.")],
    release: Annotated[Path, typer.Argument(metavar="RELEASE", help="Folder of the unpacked official release.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder to create; must be missing or empty.")],
    split: Annotated[
        str, typer.Option(help="Questions: train, dev (val) or test; for dynvqa a language, for livevqa a part.")
    ] = "dev",
    download: Annotated[
        bool, typer.Option("--download", help="Fetch pictures of questions that the release gives only by address.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Convert an official release to a corpus bundle with questions for ``backtrail eval``.

    OUT appears only when everything is written. Then run: backtrail ingest OUT --corpus NAME
    """
    from backtrail.evals.formats.table import convert

    counts = convert(layout, release, out, split, download=download)
    if as_json:
        print(json.dumps({"bundle": str(out), **counts}))
        return
    print(f"{out}: " + ", ".join(f"{number:,} {kind}" for kind, number in counts.items()))
