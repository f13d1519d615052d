"""From the words of a PDF page to paragraphs in reading order. Lengths are in points, boxes x0, top, x1, bottom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

Box = tuple[float, float, float, float]

_LINE_TOLERANCE = 0.5  # of the height: words whose middles differ less share a line
_WORD_GAP = 1.4  # of the height: a wider gap separates columns
_LEADING = 0.75  # of the height: a wider gap between lines separates paragraphs
_SIZE_TOLERANCE = 0.12


@dataclass
class Block:
    """Consecutive lines that belong together; ``size`` is the height of their letters."""

    box: Box
    size: float
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The lines joined; a word divided at the end of a line is put together again."""
        joined = ""
        for line in self.lines:
            if re.search(r"[^\W\d_]-$", joined) and line[:1].islower():
                joined = joined[:-1] + line
            else:
                joined = f"{joined} {line}".strip()
        return joined


def read_blocks(words: Sequence[dict[str, Any]]) -> list[Block]:
    """Group words (as pdfplumber gives them, with their size) into paragraphs, column by column."""
    lines = [_line(words) for words in _lines(words)]
    return reading_order(_paragraphs(lines))


def _lines(words: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Words that stand beside each other without a wide gap."""
    rows: list[list[dict[str, Any]]] = []
    for word in sorted(words, key=lambda word: ((word["top"] + word["bottom"]) / 2, word["x0"])):
        middle = (word["top"] + word["bottom"]) / 2
        last = rows[-1][-1] if rows else None
        if last and abs(middle - (last["top"] + last["bottom"]) / 2) <= _LINE_TOLERANCE * _height(last):
            rows[-1].append(word)
        else:
            rows.append([word])
    segments: list[list[dict[str, Any]]] = []
    for row in rows:
        row.sort(key=lambda word: word["x0"])
        segments.append([row[0]])
        for left, right in pairwise(row):
            if right["x0"] - left["x1"] > _WORD_GAP * max(_height(left), _height(right)):
                segments.append([])
            segments[-1].append(right)
    return segments


def _height(word: dict[str, Any]) -> float:
    return max(float(word["bottom"] - word["top"]), 1.0)


def _line(words: list[dict[str, Any]]) -> Block:
    sizes = sorted(_height(word) for word in words)
    box = (
        min(float(word["x0"]) for word in words),
        min(float(word["top"]) for word in words),
        max(float(word["x1"]) for word in words),
        max(float(word["bottom"]) for word in words),
    )
    return Block(box, sizes[len(sizes) // 2], [" ".join(word["text"] for word in words)])


def _paragraphs(lines: list[Block]) -> list[Block]:
    """Join each line to the paragraph right above it, if it has the same size and starts near the same place."""
    open_blocks: list[Block] = []
    closed: list[Block] = []
    for line in sorted(lines, key=lambda line: line.box[1]):
        # a paragraph that ended well above can take no more lines
        ended = [block for block in open_blocks if line.box[1] - block.box[3] > 3 * max(block.size, line.size)]
        if ended:
            closed.extend(ended)
            open_blocks = [block for block in open_blocks if block not in ended]
        above = next((block for block in reversed(open_blocks) if _continues(block, line)), None)
        if above is None:
            open_blocks.append(line)
        else:
            above.box = union([above.box, line.box])
            above.lines.extend(line.lines)
    return closed + open_blocks


def _continues(block: Block, line: Block) -> bool:
    gap = line.box[1] - block.box[3]
    overlap = min(block.box[2], line.box[2]) - max(block.box[0], line.box[0])
    same_size = abs(block.size - line.size) <= _SIZE_TOLERANCE * max(block.size, line.size)
    return same_size and -0.6 * block.size <= gap <= _LEADING * block.size and overlap > 0


def reading_order(blocks: list[Block]) -> list[Block]:
    """Top to bottom; where the page has columns, one column after the other.

    Bands of the page that are separated by white space are joined as long as one vertical gap runs through them all.
    """
    bands: list[list[Block]] = []
    bottom = float("-inf")
    for block in sorted(blocks, key=lambda block: block.box[1]):
        if not bands or block.box[1] >= bottom:
            bands.append([])
        bands[-1].append(block)
        bottom = max(bottom, block.box[3])
    regions: list[list[Block]] = []
    for band in bands:
        if regions and _gap(regions[-1]) is not None and _gap(regions[-1] + band) is not None:
            regions[-1].extend(band)
        else:
            regions.append(band)
    return [block for region in regions for column in _columns(region) for block in column]


def _columns(region: list[Block]) -> list[list[Block]]:
    columns: list[list[Block]] = []
    rest = region
    while (gap := _gap(rest)) is not None:
        columns.append([block for block in rest if block.box[2] <= gap])
        rest = [block for block in rest if block.box[2] > gap]
    columns.append(rest)
    return [sorted(column, key=lambda block: (block.box[1], block.box[0])) for column in columns]


def _gap(blocks: list[Block]) -> float | None:
    """Where a white strip runs from top to bottom: the right end of what lies left of it. None if nowhere."""
    reach = float("-inf")
    for block in sorted(blocks, key=lambda block: block.box[0]):
        if reach > float("-inf") and block.box[0] > reach:
            return reach
        reach = max(reach, block.box[2])
    return None


def union(boxes: Sequence[Box]) -> Box:
    """The smallest box around all."""
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def centre_in(inner: Box, outer: Box) -> bool:
    """Whether the middle of one box lies in the other."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
