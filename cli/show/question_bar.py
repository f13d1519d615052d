"""Progress bar on stderr for work done question by question."""

from __future__ import annotations

from backtrail.cli.show.progress_bar import Bar


class QuestionBar(Bar):
    """Context manager with one bar per run, and its number of failed questions."""

    def __init__(self, *, shown: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

        named, failures = TextColumn("{task.description}"), TextColumn("[red]{task.fields[failed]}")
        super().__init__(named, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), failures, shown=shown)
        self._failed = 0

    def start(self, name: str, *, total: int, completed: int = 0) -> None:
        """Start the bar of a run and reset the number of failures."""
        self._failed = 0
        self._bar = self._progress.add_task(name, total=total, completed=completed, failed="")

    def finish_one(self, *, failed: bool) -> None:
        """Count a finished question."""
        self._failed += failed
        self._progress.update(self._bar, advance=1, failed=f"{self._failed} failed" if self._failed else "")
