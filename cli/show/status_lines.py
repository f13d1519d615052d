"""A line on stderr now and then, where no bar can be drawn: in a log file somebody wants to see that work goes on."""

from __future__ import annotations

import time
from threading import Event, Thread

SECONDS = 30.0
"""Between two lines; ours."""


class StatusLines:
    """Tells what stage a work is in, from a thread of its own: one file may take minutes.

    Args:
        seconds: between two lines.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._began = time.monotonic()
        self._named, self._done, self._total = "Starting", 0, None
        self._over = Event()
        self._thread = Thread(target=self._tell, name="status-lines", daemon=True)

    def start(self) -> None:
        """Begin to tell."""
        self._thread.start()

    def stop(self) -> None:
        """End; nothing more is written once this returns."""
        self._over.set()
        self._thread.join()

    def stage(self, named: str, total: int | None) -> None:
        """A stage begins."""
        self._named, self._done, self._total = named, 0, total

    def advance(self, count: int) -> None:
        """So many further items of the stage are done."""
        self._done += count

    def _tell(self) -> None:
        from backtrail.cli.show.console import err

        while not self._over.wait(self._seconds):
            minutes, seconds = divmod(int(time.monotonic() - self._began), 60)
            of_all = f" of {self._total:,}" if self._total else ""
            done = f" {self._done:,}{of_all}" if self._done or of_all else ""
            err.print(f"{self._named}{done} ({minutes}:{seconds:02})", highlight=False, markup=False)
