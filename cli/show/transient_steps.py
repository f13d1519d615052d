"""Show the latest steps of a run on a terminal, and erase them when the answer comes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

_MOST = 16
"""Lines at once (ours); of a low terminal all but the two below them."""


class TransientSteps:
    """Lines that pass by above what is going on now; all are gone when it stops."""

    def __init__(self, console: Console) -> None:
        self._lines: deque[Text] = deque(maxlen=max(1, min(_MOST, console.height - 3)))
        self._now = Spinner("dots", "Starting", style="status.spinner")
        self._live = Live(console=console, transient=True, refresh_per_second=12.5, get_renderable=self._shown)

    def start(self) -> None:
        """Begin to show."""
        self._live.start()

    def stop(self) -> None:
        """Take all of it off the terminal."""
        self._live.stop()

    def update(self, now: str) -> None:
        """What is going on now."""
        self._now.update(text=now)

    def add(self, lines: Iterable[Text]) -> None:
        """Let lines pass by; one that is too long for the terminal is cut."""
        for line in lines:
            passing = line.copy()
            passing.no_wrap, passing.overflow = True, "ellipsis"
            self._lines.append(passing)

    def _shown(self) -> Group:
        return Group(*self._lines, self._now)
