"""What is printed on a terminal: documents, models and names of files do not get to steer it."""

from __future__ import annotations

import re
import sys
from typing import Any, TextIO

CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e]"
"""What steers a terminal; the last two show what follows them from right to left, or the other way round."""

_STEERING = re.compile(
    r"(\x1b\[[0-9;]{0,40}m"  # colours, which the consoles write themselves
    r"|\x1b\[\?25[hl]|\x1b\[[0-9]{0,2}[AK]|\r)"  # the bars, too: they hide the cursor, go up and clear lines
    rf"|{CONTROLS}"
)
_COLOURING = re.compile(rf"(\x1b\[[0-9;]{{0,40}}m)|{CONTROLS}")


class Shown:
    """A stream to a terminal. Control characters that none of our consoles writes there are shown as ``�``.

    Args:
        stream: the terminal's.
        bars: whether bars are drawn on it.
    """

    def __init__(self, stream: TextIO, bars: bool) -> None:
        self._stream, self._kept = stream, _STEERING if bars else _COLOURING

    def write(self, text: str) -> int:
        """Write what may be shown."""
        self._stream.write(self._kept.sub(lambda found: found[1] or "�", text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write each."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guard_terminal() -> None:
    """From now on print through ``Shown`` what a terminal shows. Files and pipes get every character as it is."""
    if sys.stdout.isatty():
        sys.stdout = Shown(sys.stdout, bars=False)
    if sys.stderr.isatty():
        sys.stderr = Shown(sys.stderr, bars=True)
