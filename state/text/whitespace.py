"""Bound runs of white space in text by others, once, where it enters: nothing that reads it sees a long one."""

from __future__ import annotations

import re

LONGEST_RUN = 200
"""White space characters in a row that are kept: more than any indentation or gap between columns has (ours). What
takes the square of a run then takes at most a hundred times the text."""

_LONG_RUN = re.compile(rf"\s(?<!\s\s)\s{{{LONGEST_RUN},}}")


def bound_whitespace(text: str) -> str:
    """The text with longer runs cut: to their beginning, or to as many line breaks and the last line's indentation."""
    return _LONG_RUN.sub(_shortened, text) if len(text) > LONGEST_RUN else text


def _shortened(run: re.Match[str]) -> str:
    spaces = run.group()
    breaks = min(spaces.count("\n"), LONGEST_RUN // 2)
    if not breaks:
        return spaces[:LONGEST_RUN]
    return "\n" * breaks + spaces.rpartition("\n")[2][: LONGEST_RUN // 2]
