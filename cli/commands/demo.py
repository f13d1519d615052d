"""backtrail demo: ingest the corpus that comes with the package and ask it three questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from backtrail.cli.commands.ask import ask
from backtrail.cli.commands.ingest import ingest
from backtrail.cli.commands.options import AsJson

CORPUS = "examples"


def demo(
    only_ingest: Annotated[bool, typer.Option("--only-ingest", help="Ingest and ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ingest the demo corpus and ask three questions offline: a bridge, a dead end, one without answer.

    47 linked pages on robots in the Solar System become the corpus 'examples'. A second run ingests nothing.
    """
    from backtrail.cli.show.console import out

    folder = _shipped()
    pages = folder / "corpus"
    others = _other_installations(pages)
    # without OCR the corpus is the same on machines with and without Tesseract
    ingest([str(pages)], corpus=CORPUS, ocr=False, instead_of=others, as_json=as_json)
    if only_ingest:
        return
    for question in (folder / "demo_questions.txt").read_text(encoding="utf-8").splitlines():
        if not as_json:
            out.print(f"\n[bold]{question}[/]", soft_wrap=True)
        ask(question, corpus=CORPUS, as_json=as_json)


def _other_installations(pages: Path) -> list[Path]:
    """Return folders of another checkout or environment from which the demo was ingested before."""
    from backtrail.tools.corpus.inventory import ingested_from
    from backtrail.tools.corpus.listing import list_corpora

    roots = map(Path, ingested_from(CORPUS) if CORPUS in list_corpora() else ())
    return [root for root in roots if root.parts[-3:] == ("backtrail", "examples", "corpus") and root != pages]


def _shipped() -> Path:
    """Return the folder of the demo, in a checkout or an installed package."""
    import backtrail.examples

    return Path(backtrail.examples.__file__ or "").parent
