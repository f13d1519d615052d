"""Periodic status lines on stderr where no bar can be drawn, so that log files show progress."""

from __future__ import annotations

import time
from threading import Event, Thread

SECONDS = 30.0
"""Interval between lines (ours)."""


class StatusLines:
    """Background thread that prints the current stage, since one file may take minutes.

    Args:
        seconds: interval between lines.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._began = time.monotonic()
        self._named, self._done, self._total = "Starting", 0, None
        self._over = Event()
        self._thread = Thread(target=self._tell, name="status-lines", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread; nothing is written after this returns."""
        self._over.set()
        self._thread.join()

    def stage(self, named: str, total: int | None) -> None:
        """Start a stage."""
        self._named, self._done, self._total = named, 0, total

    def advance(self, count: int) -> None:
        """Add finished items of the stage."""
        self._done += count

    def _tell(self) -> None:
        from backtrail.cli.show.console import err

        while not self._over.wait(self._seconds):
            minutes, seconds = divmod(int(time.monotonic() - self._began), 60)
            of_all = f" of {self._total:,}" if self._total else ""
            done = f" {self._done:,}{of_all}" if self._done or of_all else ""
            err.print(f"{self._named}{done} ({minutes}:{seconds:02})", highlight=False, markup=False)
