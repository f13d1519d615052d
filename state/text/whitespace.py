"""Bounds on runs of white space in untrusted text, applied once, where it enters."""

from __future__ import annotations

import re

LONGEST_RUN = 200
"""Most white space characters in a row: more than any indentation or column gap has (ours). Quadratic patterns then
take at most a hundred times the length of the text."""

_LONG_RUN = re.compile(rf"\s(?<!\s\s)\s{{{LONGEST_RUN},}}")


def bound_whitespace(text: str) -> str:
    """Cut longer runs: to their beginning, or to as many line breaks and the last line's indentation."""
    return _LONG_RUN.sub(_shortened, text) if len(text) > LONGEST_RUN else text


def _shortened(run: re.Match[str]) -> str:
    spaces = run.group()
    breaks = min(spaces.count("\n"), LONGEST_RUN // 2)
    if not breaks:
        return spaces[:LONGEST_RUN]
    return "\n" * breaks + spaces.rpartition("\n")[2][: LONGEST_RUN // 2]
