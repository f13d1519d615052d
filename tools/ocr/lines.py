"""Lines from Tesseract's words and their boxes, and one text from lines."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise

LEAST_CONFIDENCE = 60
"""Minimum confidence of a word, of 100. Below are mostly outlines and textures taken for letters; ours."""

SURE = 90
BESIDE_SURE = 20
"""Minimum confidence of a word of SHORT letters or more in a line with a SURE word: Tesseract gives rare words and
narrow letters low confidence even if they are right. Ours; on the demo corpus it reads 4 words in 1,000 more."""

SHORT = 3
"""A line of at most three letters and digits needs a SURE word. Ours, from 80 pictures of textbooks and lessons:
craters and foliage give short lines of low confidence; labels and axis numbers have high confidence."""

RUNNING_WORDS = 6
"""A line of so many words is taken for running text, which continues in the next line; labels are shorter; ours."""

MOST_CHARACTERS = 4_000
"""Maximum of one picture: about a page full of print, and the part of a component shown to readers; ours."""

_WORD_LEVEL = "5"
_SENTENCE_ENDS = tuple(".!?:;。…")


@dataclass(frozen=True)
class Box:
    """A rectangle on the page, in pixels from the upper left corner."""

    left: int
    top: int
    width: int
    height: int

    def enlarged(self, factor: float) -> Box:
        """Return the box on a page that is ``factor`` times as wide and high."""
        left, top, width, height = (round(side * factor) for side in (self.left, self.top, self.width, self.height))
        return Box(left, top, width, height)

    def shared(self, other: Box) -> int:
        """Return the number of pixels in both boxes."""
        wide = min(self.left + self.width, other.left + other.width) - max(self.left, other.left)
        high = min(self.top + self.height, other.top + other.height) - max(self.top, other.top)
        return max(wide, 0) * max(high, 0)

    def meets(self, other: Box) -> bool:
        """Whether the overlap is at least a third of the smaller box, as for two readings of a word."""
        smaller = min(self.width * self.height, other.width * other.height)
        return 3 * self.shared(other) >= max(smaller, 1)


@dataclass(frozen=True)
class Word:
    """A recognised word with its box and confidence, from 0 to 100."""

    text: str
    box: Box
    confidence: float


@dataclass(frozen=True)
class Line:
    """Words of one line, from left to right, and the line's paragraph."""

    words: tuple[Word, ...]
    paragraph: tuple[str, ...]

    @cached_property
    def text(self) -> str:
        """The words with single spaces between them."""
        return " ".join(word.text for word in self.words)

    @cached_property
    def box(self) -> Box:
        """The box around all words."""
        left, top = min(word.box.left for word in self.words), min(word.box.top for word in self.words)
        right = max(word.box.left + word.box.width for word in self.words)
        bottom = max(word.box.top + word.box.height for word in self.words)
        return Box(left, top, right - left, bottom - top)

    @property
    def is_readable(self) -> bool:
        """Whether it is more than a single letter, and long or sure enough not to be noise."""
        characters = sum(map(str.isalnum, self.text))
        return characters > SHORT or (characters > 1 and _has_sure(self.words))

    def enlarged(self, factor: float) -> Line:
        """Return the line on a page that is ``factor`` times as wide and high."""
        return replace(self, words=tuple(replace(word, box=word.box.enlarged(factor)) for word in self.words))

    def holds(self, word: Word) -> bool:
        """Whether one of its words overlaps the word."""
        return any(own.box.meets(word.box) for own in self.words)

    def shares(self, other: Line) -> bool:
        """Whether any of its words overlaps a word of the other line."""
        return any(self.holds(word) for word in other.words)


def lines_of(tsv: str) -> list[Line]:
    """Return the lines of Tesseract's table (``tsv``), in its order, without words of low confidence."""
    rows = csv.DictReader(tsv.split("\n"), delimiter="\t", quoting=csv.QUOTE_NONE)
    words = (row for row in rows if row["level"] == _WORD_LEVEL and any(map(str.isalnum, row["text"] or "")))
    lines = groupby(words, key=lambda row: (row["block_num"], row["par_num"], row["line_num"]))
    kept = (Line(_credible([_word(row) for row in line]), key[:2]) for key, line in lines)
    return [line for line in kept if line.words and line.is_readable]


def _word(row: dict[str, str]) -> Word:
    box = Box(*(int(row[side]) for side in ("left", "top", "width", "height")))
    return Word(" ".join(row["text"].split()), box, float(row["conf"]))


def _credible(words: Sequence[Word]) -> tuple[Word, ...]:
    beside_sure = _has_sure(words)
    return tuple(word for word in words if _least_confidence(word, beside_sure) <= word.confidence)


def _least_confidence(word: Word, beside_sure: bool) -> int:
    long = sum(map(str.isalnum, word.text)) >= SHORT
    return BESIDE_SURE if long and beside_sure else LEAST_CONFIDENCE


def _has_sure(words: Sequence[Word]) -> bool:
    return any(word.confidence >= SURE for word in words)


def merged(lines: Sequence[Line], others: Sequence[Line]) -> list[Line]:
    """Add the words of a second reading to the lines of the first.

    A line that the second reading has completely, and longer, is replaced. Other words that overlap none of the first
    reading are appended, as lines that continue no paragraph.
    """
    kept, rest = list(lines), list[Line]()
    for other in others:
        met = [place for place, line in enumerate(lines) if line.box.meets(other.box) and line.shares(other)]
        fresh = tuple(word for word in other.words if not any(lines[place].holds(word) for place in met))
        if not fresh:
            continue
        if len(met) == 1 and all(other.holds(word) for word in lines[met[0]].words):
            kept[met[0]] = replace(other, paragraph=lines[met[0]].paragraph)
        else:
            rest.append(Line(fresh, ("besides", *other.paragraph)))
    return kept + [line for line in rest if line.is_readable]


def joined(lines: Sequence[Line]) -> str:
    """Join lines to one text: running text continues across lines, labels are separated by semicolons."""
    text = lines[0].text if lines else ""
    for above, line in pairwise(lines):
        text = _attached(text, above, line)
    if len(text) <= MOST_CHARACTERS:
        return text
    return text[: MOST_CHARACTERS - 1].rpartition(" ")[0].rstrip(" ;") + "…"


def _attached(text: str, above: Line, line: Line) -> str:
    small = line.text[0].islower()
    goes_on = above.paragraph == line.paragraph and (small or len(above.words) >= RUNNING_WORDS)
    if goes_on and small and text.endswith("-") and text[-2:-1].isalpha():
        return text[:-1] + line.text  # a word divided at the end of a line
    return f"{text} {line.text}" if goes_on or text.endswith(_SENTENCE_ENDS) else f"{text}; {line.text}"
