"""Ingest again whenever files of the given folders change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from backtrail.tools.errors import BacktrailError

DEBOUNCE = 2_000
"""Milliseconds within which changes are one change (ours): a folder that is copied is ingested once."""
_WAKE = 500  # milliseconds after which watching returns without a change


def watch_folders(paths: Sequence[Path], ingest: Callable[[], object]) -> None:
    """Ingest at once and after each change below paths, until Ctrl-C.

    An ingest that fails is reported, and the next change is awaited. Changes during an ingest lead to another. Ctrl-C
    during an ingest ends it; the next one goes on where it was.
    """
    from rich.text import Text
    from watchfiles import watch

    from backtrail.cli.show.console import err

    first = True
    # the first round comes when the folders are watched, so that no change is missed beside the first ingest
    for seen in watch(*paths, debounce=DEBOUNCE, rust_timeout=_WAKE, yield_on_timeout=True, raise_interrupt=False):
        if seen or first:
            try:
                ingest()
            except BacktrailError as error:
                err.print(Text.assemble(("Error: ", "bold red"), str(error)), soft_wrap=True)
            except KeyboardInterrupt:  # Ctrl-C ends the watching at any moment, as between two ingests
                err.print("Stopped. An ingest that was cut off goes on with the next one.", soft_wrap=True)
                return
            if first:
                err.print("Watching for changes. Stop with Ctrl-C.", soft_wrap=True)
        first = False
