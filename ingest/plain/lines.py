"""Convert lines of plain text to headings and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from backtrail.state.text.whitespace import bound_whitespace

MAX_PARAGRAPH = 2000
"""Approximate maximum characters of a component; longer runs without a blank line are split at sentence ends."""

# off: 179 of 732 texts lose headings
_UNDERLINE = re.compile(r"([=\-~^])\1{2,}\s*$")
_UNDERLINE_LEVELS = {"=": 1, "-": 2, "~": 3, "^": 4}
# off: 8 of 749 texts and books lose headings
_PART = re.compile(
    r"(?:(part|book|teil|partie|buch)|(?:chapter|kapitel|chapitre|cap[ií]tulo))\s+[\divxlc]+\b.{0,80}", re.I
)
# off: 145 of 732 texts lose headings
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+(\S.{0,90})")
# off: 171 of 732 texts join items of lists
_BULLET = re.compile(r"\s*(?:[-*•+‣◦–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S")
# off: 335 of 732 texts join rows of columns; two spaces take 78 more for columns
_COLUMNS = re.compile(r"\S(?:\s{3,}|\t)\S")
_SENTENCE_END = re.compile(r"[.!?。…:][\"'”’)\]]*$")
_HEADING_CHARACTERS = 100
"""Most characters of a heading (ours). At 50, 106 of 732 texts lose headings; at 200, 4 show sentences as such."""
_NARROW = 40
"""Width below which lines are no prose (ours). At 20, 263 of 732 texts have short lists or addresses joined."""
_FULL = 0.6
"""Share of the width from which a line goes on. At 0.3, lists of 428 texts are joined; at 0.8, 433 break sentences."""


@dataclass(frozen=True)
class Heading:
    """Heading of a section; level 1 is outermost. Numbered headings and chapters are no titles."""

    level: int
    text: str
    may_be_title: bool = False


@dataclass(frozen=True)
class Paragraph:
    """Paragraph with the 1-based number of its first line."""

    text: str
    line: int


def read_lines(text: str) -> Iterator[Heading | Paragraph]:
    """Yield the headings and paragraphs of a text in order.

    A heading is underlined, or a single line that is numbered, names a part or chapter, or is in capitals. Lines of
    prose are joined; lists, verse and columns keep their lines.
    """
    lines = bound_whitespace(text.expandtabs(8)).replace("\f", "\n").splitlines()
    block: list[str] = []
    start = 1
    for number, line in enumerate([*lines, ""], start=1):
        line = line.rstrip()
        if line:
            start = start if block else number
            block.append(line)
        elif block:
            yield from _block(block, start)
            block = []


def _block(lines: list[str], start: int) -> Iterator[Heading | Paragraph]:
    heading, used = _heading(lines)
    if heading is not None:
        yield heading
    if used < len(lines):
        yield from _paragraphs(lines[used:], start + used)


def _heading(lines: list[str]) -> tuple[Heading | None, int]:
    """Return the heading at the start of a block and its number of lines."""
    first = lines[0].strip()
    if len(lines) > 2 and _UNDERLINE.match(lines[0].strip()) and _UNDERLINE.match(lines[2].strip()):
        return Heading(1, lines[1].strip(), True), 3
    if len(lines) > 1 and _UNDERLINE.match(lines[1].strip()) and len(first) <= _HEADING_CHARACTERS:
        return Heading(_UNDERLINE_LEVELS[lines[1].strip()[0]], first, True), 2
    if len(lines) > 1 or len(first) > _HEADING_CHARACTERS:
        return None, 0
    part = _PART.fullmatch(first)
    if part:
        return Heading(1 if part.group(1) else 2, first), 1
    # without the two tests 55 and 30 of 732 texts show sentences and lists as headings
    numbered = _NUMBERED.fullmatch(first)
    if numbered and not _SENTENCE_END.search(first) and numbered.group(2)[0].isupper():
        return Heading(min(2 + numbered.group(1).count("."), 6), first), 1
    letters = [character for character in first if character.isalpha()]
    # off: 160 of 732 texts lose headings; from two letters on, 22 take values for some, from seven on, 32 lose some
    if len(letters) > 3 and first.upper() == first != first.lower():
        return Heading(3, first, True), 1
    return None, 0


def _paragraphs(lines: list[str], start: int) -> Iterator[Paragraph]:
    width = max(len(line) for line in lines)
    joined: list[str] = []
    first = start
    length = 0
    for number, line in enumerate(lines, start=start):
        if length > MAX_PARAGRAPH and (length > 2 * MAX_PARAGRAPH or _SENTENCE_END.search(joined[-1])):
            yield Paragraph("\n".join(joined), first)
            joined, first, length = [], number, 0
        if joined and _goes_on(joined[-1], line, lines[number - start - 1], width):
            joined[-1] += " " + line.strip()
        else:
            joined.append(line if _COLUMNS.search(line) else line.strip())
        length += len(line) + 1
    if joined:
        yield Paragraph("\n".join(joined), first)


def _goes_on(last: str, line: str, before: str, width: int) -> bool:
    """Return whether a line continues the previous one, which was full."""
    if _BULLET.match(line) or _COLUMNS.search(line) or _COLUMNS.search(last) or width < _NARROW:
        return False
    return len(before.strip()) > _FULL * width
