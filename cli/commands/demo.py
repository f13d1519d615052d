"""backtrail demo: the corpus that comes with the package, ingested, and three questions asked of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from backtrail.cli.commands.ask import ask
from backtrail.cli.commands.ingest import ingest
from backtrail.cli.commands.options import AsJson

CORPUS = "examples"


def demo(
    only_ingest: Annotated[bool, typer.Option("--only-ingest", help="Ask nothing: your own questions follow.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ingest the demo corpus and ask it three questions, offline: a bridge, a dead end, and one without an answer.

    47 linked pages on robots in the Solar System become the corpus 'examples'. A second run ingests nothing anew.
    """
    from backtrail.cli.show.console import out

    folder = _shipped()
    ingest([str(folder / "corpus")], corpus=CORPUS, ocr=False, as_json=as_json)  # the same with and without Tesseract
    if only_ingest:
        return
    for question in (folder / "demo_questions.txt").read_text(encoding="utf-8").splitlines():
        if not as_json:
            out.print(f"\n[bold]{question}[/]", soft_wrap=True)
        ask(question, corpus=CORPUS, as_json=as_json)


def _shipped() -> Path:
    """The folder of the demo, in a checkout or where the package is installed."""
    import backtrail.examples

    return Path(backtrail.examples.__file__ or "").parent
