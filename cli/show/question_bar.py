"""A bar on stderr for work that is done question by question."""

from __future__ import annotations

from backtrail.cli.show.progress_bar import Bar


class QuestionBar(Bar):
    """One bar per run, with how many questions failed. Used as a context manager."""

    def __init__(self, *, shown: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

        named, failures = TextColumn("{task.description}"), TextColumn("[red]{task.fields[failed]}")
        super().__init__(named, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), failures, shown=shown)
        self._failed = 0

    def start(self, name: str, *, total: int, completed: int = 0) -> None:
        """A run of that name starts; failures are counted anew."""
        self._failed = 0
        self._bar = self._progress.add_task(name, total=total, completed=completed, failed="")

    def finish_one(self, *, failed: bool) -> None:
        """A question was finished."""
        self._failed += failed
        self._progress.update(self._bar, advance=1, failed=f"{self._failed} failed" if self._failed else "")
