"""The two consoles: answers go to stdout, progress and notes to stderr."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from backtrail.cli.show.terminal import CONTROLS

_CONTROLS = re.compile(CONTROLS)


class GuardedConsole(Console):
    """Console that shows control characters in texts as ``�``; its stream must let those of consoles pass."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render the segments; control segments of rich's bars are kept."""
        for segment in super().render(renderable, options):
            shown = segment.control or not self.is_terminal
            yield segment if shown else segment._replace(text=_CONTROLS.sub("\ufffd", segment.text))


out = GuardedConsole(highlight=False)
err = GuardedConsole(stderr=True, highlight=False)

OUTCOMES = {"success": ("✓", "green"), "failure": ("✗", "red"), "refused": ("⊘", "yellow")}
"""Mark and colour of each outcome of a hop."""
