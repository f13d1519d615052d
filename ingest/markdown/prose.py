"""Split of Markdown into code, where only includes are expanded, and prose."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator

FENCE = "`" * 7
"""A fence longer than those that occur in code (ours)."""

_FENCE = re.compile(r"[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_CLOSING = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*$")
_TICKS = re.compile(r"`+")
_BLANK = re.compile(r"\n[ \t]*\n")


def replaced(text: str, pattern: re.Pattern[str], shown: Callable[[re.Match[str]], str]) -> str:
    """Replace the matches of a pattern outside code; anchors of the pattern see the whole text."""
    pieces: list[str] = []
    position = 0
    for start, stop in prose_of(text):
        for match in pattern.finditer(text, start, stop):
            pieces += [text[position : match.start()], shown(match)]
            position = match.end()
    return "".join([*pieces, text[position:]])


def prose_of(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each span outside fenced and inline code."""
    place = 0
    for is_code, part in split_fences(text):
        if not is_code:
            position = place
            for start, stop in _code_spans(part):
                yield position, place + start
                position = place + stop
            yield position, place + len(part)
        place += len(part)


def split_fences(text: str) -> Iterator[tuple[bool, str]]:
    """Yield parts of the text, each with whether it is fenced code. An open fence runs to the end."""
    stretch: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        if fence:
            stretch.append(line)
            closing = _CLOSING.match(line.rstrip("\r\n"))
            if closing and closing[1].startswith(fence):
                yield True, "".join(stretch)
                stretch, fence = [], ""
            continue
        opening = _FENCE.match(line.rstrip("\r\n"))
        if opening:
            if stretch:
                yield False, "".join(stretch)
            stretch, fence = [line], opening[1]
        else:
            stretch.append(line)
    if stretch:
        yield bool(fence), "".join(stretch)


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield inline code: from a run of backticks to the next run of that length in the same paragraph."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    blanks = [match.start() for match in _BLANK.finditer(text)] if runs else []
    later: dict[int, list[int]] = defaultdict(list)
    for number in range(len(runs) - 1, -1, -1):
        later[runs[number][1] - runs[number][0]].append(number)
    behind = 0
    for number, (start, end) in enumerate(runs):
        same = later[end - start]
        same.pop()
        if number < behind or not same:
            continue
        stop = runs[same[-1]][1]
        if bisect_left(blanks, start) == bisect_left(blanks, stop):
            yield start, stop
            behind = same[-1] + 1
