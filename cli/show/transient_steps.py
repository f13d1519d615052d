"""Latest steps of a run on a terminal, erased when the answer is printed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

_MOST = 16
"""Maximum number of lines (ours); fewer on a low terminal."""


class TransientSteps:
    """Scrolling lines above the current activity; all are erased on stop."""

    def __init__(self, console: Console) -> None:
        self._lines: deque[Text] = deque(maxlen=max(1, min(_MOST, console.height - 3)))
        self._now = Spinner("dots", "Starting", style="status.spinner")
        self._live = Live(console=console, transient=True, refresh_per_second=12.5, get_renderable=self._shown)

    def start(self) -> None:
        """Start the display."""
        self._live.start()

    def stop(self) -> None:
        """Erase all lines."""
        self._live.stop()

    def update(self, now: str) -> None:
        """Set the current activity."""
        self._now.update(text=now)

    def add(self, lines: Iterable[Text]) -> None:
        """Add lines; lines longer than the terminal are cut."""
        for line in lines:
            passing = line.copy()
            passing.no_wrap, passing.overflow = True, "ellipsis"
            self._lines.append(passing)

    def _shown(self) -> Group:
        return Group(*self._lines, self._now)
