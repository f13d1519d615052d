"""Progress bar of an ingest."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from backtrail.cli.show.progress_bar import Bar
from backtrail.cli.show.status_lines import StatusLines

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

STAGES = {
    "fetch": "Fetching",
    "read": "Reading",
    "ocr": "Reading words in pictures",
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
    "pages": "Embedding pages",
}


_SECONDS = 5.0
"""Seconds before the remaining time of a stage is shown (ours): the first items predict it badly."""


def time_left() -> ProgressColumn:
    """Return the column with the remaining time of a stage; empty until it can be estimated."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class TimeLeft(ProgressColumn):
        max_refresh = 0.5

        def render(self, task: Task) -> Text:
            left = task.time_remaining
            if left is None or task.finished or (task.elapsed or 0.0) < _SECONDS:
                return Text("")
            minutes, seconds = divmod(int(left), 60)
            hours, minutes = divmod(minutes, 60)
            return Text(f"{hours}:{minutes:02}:{seconds:02} left" if hours else f"{minutes}:{seconds:02} left")

    return TimeLeft()


class IngestBar(Bar):
    """One progress bar per stage on stderr, or status lines if stderr is no terminal.

    Context manager; implements ``Progress``.
    """

    def __init__(self, *, shown: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn

        named = TextColumn("{task.description}")
        bar, counts, elapsed = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        super().__init__(SpinnerColumn(), named, bar, counts, elapsed, time_left(), shown=shown)
        self._task = self._progress.add_task("Starting", total=None)
        self._lines = StatusLines() if shown and not self._progress.console.is_terminal else None

    def __enter__(self) -> Self:
        if self._lines is not None:
            self._lines.start()
            return self
        return super().__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lines is not None:
            self._lines.stop()
        else:
            super().__exit__(kind, error, trace)

    def stage(self, name: str, total: int | None = None) -> None:
        """Start a stage."""
        named = STAGES.get(name, name.capitalize())
        self._progress.reset(self._task, total=total, description=named)
        if self._lines is not None:
            self._lines.stage(named, total)

    def advance(self, count: int = 1) -> None:
        """Add finished items of the stage."""
        self._progress.advance(self._task, count)
        if self._lines is not None:
            self._lines.advance(count)
