"""The progress bar of an ingest."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from backtrail.cli.console import err

STAGES = {
    "read": "Reading",
    "extract": "Extracting knowledge",
    "merge": "Merging the graph",
    "describe": "Summing up descriptions",
    "link": "Resolving links",
    "embed": "Embedding",
    "pictures": "Embedding pictures",
    "vectors": "Arranging vectors",
    "words": "Indexing words",
    "index": "Building the index",
    "publish": "Publishing",
}


class IngestBar:
    """Draws one bar per stage on stderr. Used as a context manager; implements ``Progress``."""

    def __init__(self, *, shown: bool) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=err,
            transient=True,
            disable=not shown,
        )
        self._task = self._progress.add_task("Starting", total=None)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def stage(self, name: str, total: int | None = None) -> None:
        """A stage begins."""
        self._progress.reset(self._task, total=total, description=STAGES.get(name, name.capitalize()))

    def advance(self, count: int = 1) -> None:
        """So many further items of the stage are done."""
        self._progress.advance(self._task, count)
