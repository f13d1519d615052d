"""Progress bar on stderr that disappears when the work is done."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import ProgressColumn


class Bar:
    """Context manager that draws columns; draws nothing unless ``shown``."""

    def __init__(self, *columns: ProgressColumn, shown: bool) -> None:
        from rich.progress import Progress

        from backtrail.cli.show.console import err

        self._progress = Progress(*columns, console=err, transient=True, disable=not shown)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def counter(self, total: int) -> Callable[[int], None]:
        """Add a bar of a total and return what advances it."""
        task = self._progress.add_task("", total=total)
        return lambda count: self._progress.advance(task, count)
