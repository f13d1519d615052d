"""Join rows of a column to paragraphs by leading, type, indents, list marks and short last lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from backtrail.ingest.pdf.fragments import Fragment, Row, is_unspaced, joined
from backtrail.ingest.pdf.geometry import Box, union

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 0.625: 87 pages; at 2.5: 23 pages.
_LEADING = 1.25  # of the column's usual leading: a larger distance separates paragraphs
# At 1.1: 85 pages; at 4.4: 18 pages.
_WIDEST = 2.2  # of the font size: maximum distance of lines of a paragraph
# At 0.05: 1 page; at 0.2: 8 pages.
_SIZES = 0.1  # maximum share by which font sizes of a paragraph differ
# At 0.4: 2 pages; at 1.6: 9 pages.
_INDENT = 0.8  # of the font size
_ITEM = re.compile(r"^([•◦▪■□●○‣⁃∙·–—*\-]\s|\(?[0-9]{1,2}[.)]\s|\(?[a-z][.)]\s|\[\d{1,3}\]\s)")
# At 80: 1 page.
_SENTENCE = 40  # minimum of letters of a line that may end within a sentence
_END = re.compile(r"""[.!?:;…。！？]["'”’)\]]*$""")


@dataclass(slots=True)
class Line:
    """A row of text."""

    text: str
    box: Box
    base: float
    size: float
    bold: bool
    first: float  # width of its first word, to see whether it would have fitted on the line before


@dataclass
class Block:
    """Lines of a paragraph; ``breaks`` are the numbers of lines after a line break."""

    lines: list[Line]
    breaks: set[int] = field(default_factory=set)

    @property
    def box(self) -> Box:
        """The box around all lines."""
        return union([line.box for line in self.lines])

    @property
    def size(self) -> float:
        """The font size of its longest line."""
        return max(self.lines, key=lambda line: len(line.text)).size

    @property
    def bold(self) -> bool:
        """Whether every line is bold."""
        return all(line.bold for line in self.lines)


def read_line(row: Row) -> Line:
    """Make a line from a row of one column."""
    letters = sum(len(fragment.text) for fragment in row.fragments)
    bold = sum(len(fragment.text) for fragment in row.fragments if fragment.bold)
    first = _first_word(row.fragments)
    size = max(row.fragments, key=lambda fragment: len(fragment.text)).size
    return Line(joined(row.fragments), row.box, row.base, size, bold > 0.9 * letters, first)


def _first_word(fragments: Sequence[Fragment]) -> float:
    return fragments[0].box[2] - fragments[0].box[0]


def read_blocks(rows: Sequence[Row]) -> list[Block]:
    """Return the paragraphs of consecutive rows of one column, from the top."""
    lines = [read_line(row) for row in rows]
    if not lines:
        return []
    left, right = _edges(lines)
    pitch = _usual_pitch(lines)
    blocks = [Block([lines[0]])]
    for above, line in pairwise(lines):
        if _parts(above, line, blocks[-1], pitch, left, right):
            blocks.append(Block([line]))
            continue
        if _begins_anew(above, line, right):
            blocks[-1].breaks.add(len(blocks[-1].lines))
        blocks[-1].lines.append(line)
    return blocks


def form_block(rows: Sequence[Row]) -> Block:
    """Return the rows of a form as one block; rows that do not continue a value begin a line."""
    lines = [read_line(row) for row in rows]
    left = min(line.box[0] for line in lines)
    return Block(lines, {number for number, line in enumerate(lines) if number and line.box[0] - left < 2 * line.size})


def _edges(lines: Sequence[Line]) -> tuple[float, float]:
    return min(line.box[0] for line in lines), max(line.box[2] for line in lines)


def _usual_pitch(lines: Sequence[Line]) -> float:
    """Return the usual distance of lines within paragraphs, of the font size: the lower third of all."""
    pitches = sorted(
        (line.base - above.base) / line.size
        for above, line in pairwise(lines)
        if _alike(above, line) and 0.8 * line.size < line.base - above.base < _WIDEST * line.size
    )
    return pitches[len(pitches) // 3] if pitches else 1.2


def _alike(above: Line, line: Line) -> bool:
    return abs(above.size - line.size) <= _SIZES * max(above.size, line.size)


def _parts(above: Line, line: Line, block: Block, pitch: float, left: float, right: float) -> bool:
    """Whether a line begins a new paragraph."""
    distance = (line.base - above.base) / max(line.size, above.size, 1.0)
    near = 0.3 <= distance <= min(_LEADING * pitch, _WIDEST)
    if near and _alike(above, line) and _runs_on(above, line, right):
        return False
    if not _alike(above, line) or (above.bold != line.bold and ((above.bold and len(block.lines) <= 2) or line.bold)):
        return True
    if distance > min(_LEADING * pitch, _WIDEST) or distance < 0.3:
        return True
    if _ITEM.match(line.text) or _ITEM.match(block.lines[0].text):
        return False  # the items of a list stay together
    start, usual = line.box[0], median(other.box[0] for other in block.lines)
    indented = start - usual >= _INDENT * line.size and start - left < 6 * line.size
    was_first = len(block.lines) == 1
    short = right - above.box[2] > max(0.12 * (right - left), line.first)
    if indented and (_END.search(above.text) or not was_first) and above.box[0] <= usual + 1:
        return short or bool(_END.search(above.text))
    return short and bool(_END.search(above.text)) and line.text[:1].isupper() and len(above.text) > 20


def _runs_on(above: Line, line: Line, right: float) -> bool:
    """Whether a line continues a sentence, in whatever type: the line above is full and ends within a sentence."""
    if _END.search(above.text) or len(above.text) < _SENTENCE or right - above.box[2] > line.first + above.size:
        return False
    return line.text[:1].islower()


def _begins_anew(above: Line, line: Line, right: float) -> bool:
    """Whether a line break is intended: before a list item, or where the next word would have fitted."""
    if _ITEM.match(line.text):
        return True
    return right - above.box[2] > line.first + 1.5 * line.size and not above.text.endswith("-")


def block_text(block: Block, known: frozenset[str] | set[str]) -> str:
    """Return the joined lines; words divided at line ends are rejoined.

    Args:
        block: the paragraph.
        known: words of the document in lower case, including those with a hyphen.
    """
    text = ""
    for number, line in enumerate(block.lines):
        if not text:
            text = line.text
        elif number in block.breaks:
            text += "\n" + line.text
        elif (whole := _put_together(text, line.text, known)) is not None:
            text = whole
        elif is_unspaced(text[-1]) and is_unspaced(line.text[0]):
            text += line.text
        else:
            text += " " + line.text
    return text


def _put_together(text: str, line: str, known: frozenset[str] | set[str]) -> str | None:
    """Rejoin a word divided by a hyphen; a word with a hyphen elsewhere in the document keeps it."""
    if len(text) < 2 or text[-1] not in "-‐" or not text[-2].isalpha() or not line[:1].isalpha():
        return None
    head = re.split(r"\s", text)[-1].casefold()
    tail = re.match(r"[\w\-‐]*", line)
    word = tail.group().casefold() if tail else ""
    if head[:-1] + word not in known and (head + word in known or not line[0].islower()):
        return text + line
    return text[:-1] + line
