"""A bar on stderr for work that is done question by question."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class QuestionBar:
    """One bar per run, with how many questions failed. Used as a context manager."""

    def __init__(self, *, shown: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        from backtrail.cli.console import err

        self._failed = 0
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("[red]{task.fields[failed]}"),
            console=err,
            transient=True,
            disable=not shown,
        )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def start(self, name: str, *, total: int, completed: int = 0) -> None:
        """A run of that name starts; failures are counted anew."""
        self._failed = 0
        self._bar = self._progress.add_task(name, total=total, completed=completed, failed="")

    def finish_one(self, *, failed: bool) -> None:
        """A question was finished."""
        self._failed += failed
        self._progress.update(self._bar, advance=1, failed=f"{self._failed} failed" if self._failed else "")
