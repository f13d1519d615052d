"""Terminal output that texts of documents, models and file names cannot control."""

from __future__ import annotations

import re
import sys
from typing import Any, TextIO

CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e]"
"""Characters that control a terminal; the last two change the direction of writing."""

_STEERING = re.compile(
    r"(\x1b\[[0-9;]{0,40}m"  # colours of the consoles
    r"|\x1b\[\?25[hl]|\x1b\[[0-9]{0,2}[AK]|\r)"  # bars hide the cursor, go up and clear lines
    rf"|{CONTROLS}"
)
_COLOURING = re.compile(rf"(\x1b\[[0-9;]{{0,40}}m)|{CONTROLS}")


class Shown:
    """Stream to a terminal that replaces control characters other than those of our consoles by ``�``.

    Args:
        stream: stream of the terminal.
        bars: whether bars are drawn on it.
    """

    def __init__(self, stream: TextIO, bars: bool) -> None:
        self._stream, self._kept = stream, _STEERING if bars else _COLOURING

    def write(self, text: str) -> int:
        """Write text with replaced control characters."""
        self._stream.write(self._kept.sub(lambda found: found[1] or "�", text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write each line."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guard_terminal() -> None:
    """Wrap stdout and stderr in ``Shown`` if they are terminals; files and pipes stay unchanged."""
    if sys.stdout.isatty():
        sys.stdout = Shown(sys.stdout, bars=False)
    if sys.stderr.isatty():
        sys.stderr = Shown(sys.stderr, bars=True)
