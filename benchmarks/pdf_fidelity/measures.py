"""Shares of the drawn contents that a parser returns; None where a layout has no such content."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.pdf_fidelity.sheet import KnownTable, Truth

Shares = dict[str, float | None]
MEASURES = ("words", "order", "heads out", "headings", "cells", "captions", "pictures", "links")


@dataclass
class Reading:
    """Result of a parser for a file; None for contents that it does not offer.

    ``text`` is all text in order. ``tables`` are (caption, header, rows). ``pictures`` are (page, box, caption).
    ``links`` are (anchor, words of the target).
    """

    text: str
    headings: list[str] | None = None
    tables: list[tuple[str, Sequence[str], Sequence[Sequence[str]]]] | None = None
    pictures: list[tuple[int, tuple[float, float, float, float], str]] | None = None
    links: list[tuple[str, str]] | None = None


def shares(truth: Truth, reading: Reading) -> Shares:
    """Compute every measure of one file.

    words: F1 of the words of all paragraphs and the read words of their vocabulary. order: 1 - edit distance of these
    words / their number. heads out: share of the words of running heads that are removed where they repeat. headings:
    found as such. cells: found with the heads of their row and column. captions: on a table or picture. pictures:
    intersection over union at least .6 on the page. links: an anchor with the right target words.
    """
    known = _words(" ".join(truth.paragraphs))
    mine = set(known)
    read = [word for word in _words(reading.text) if word in mine or _looks_glued(word, mine)]
    return {
        "words": _f1(known, read) if known else None,
        "order": 1 - _distance(known, read) / max(len(known), len(read)) if known else None,
        "heads out": _heads_out(truth, reading),
        "headings": _found(truth.headings, reading.headings),
        "cells": _cells(truth.tables, reading),
        "captions": _captions(truth, reading),
        "pictures": _pictures(truth, reading),
        "links": _links(truth, reading),
    }


def _words(text: str) -> list[str]:
    """Split into words; in scripts without spaces into letters."""
    return re.findall(r"[\u3040-\u9fff]|[^\W_\u3040-\u9fff]+", text.casefold())


def _looks_glued(word: str, known: set[str]) -> bool:
    """Return whether an unknown word consists of drawn words or pieces of them."""
    return len(word) > 2 and any(len(other) > 3 and (other in word or word in other) for other in known)


def _f1(known: list[str], read: list[str]) -> float:
    same = (Counter(known) & Counter(read)).total()
    return 2 * same / (len(known) + len(read)) if read else 0.0


def _distance(one: list[str], other: list[str]) -> int:
    """Levenshtein distance over words."""
    row = list(range(len(other) + 1))
    for n, left in enumerate(one, start=1):
        above, row[0] = row[0], n
        for m, right in enumerate(other, start=1):
            above, row[m] = row[m], min(row[m] + 1, row[m - 1] + 1, above + (left != right))
    return row[-1]


def _heads_out(truth: Truth, reading: Reading) -> float | None:
    if not truth.running:
        return None
    drawn = Counter(_words(" ".join(truth.running)))
    kept = Counter(word for word in _words(reading.text) if word in drawn)
    repeated, first = drawn - Counter(set(drawn)), Counter(set(drawn))
    return 1 - min(1.0, (kept - first).total() / repeated.total())


def _found(known: list[str], read: list[str] | None) -> float | None:
    if not known:
        return None
    names = {_squeezed(name) for name in read or []}
    return sum(_squeezed(name) in names for name in known) / len(known)


def _squeezed(text: str) -> str:
    return " ".join(_words(text))


def _cells(tables: list[KnownTable], reading: Reading) -> float | None:
    """Share of body cells found in a table in a row with the right first cell, below the right head."""
    if not tables:
        return None
    read = {
        (_squeezed(row[0]), _squeezed(head), _squeezed(cell))
        for _, header, rows in reading.tables or []
        for row in rows
        if row
        for head, cell in zip(header, row, strict=False)
    }
    drawn = [
        (_squeezed(row[0]), _squeezed(head), _squeezed(cell))
        for table in tables
        for row in table.rows
        for head, cell in zip(table.heads[1:], row[1:], strict=True)
        if cell
    ]
    return sum(cell in read for cell in drawn) / len(drawn)


def _captions(truth: Truth, reading: Reading) -> float | None:
    captions = [caption for caption, _, _ in reading.tables or []] + [
        caption for _, _, caption in reading.pictures or []
    ]
    return _found(truth.captions, captions)


def _pictures(truth: Truth, reading: Reading) -> float | None:
    if not truth.pictures:
        return None
    found = sum(
        any(page == other and _overlap(box, seen) >= 0.6 for other, seen, _ in reading.pictures or [])
        for page, box in truth.pictures
    )
    return found / len(truth.pictures)


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return width * height / (sum(areas) - width * height)


def _links(truth: Truth, reading: Reading) -> float | None:
    if not truth.links:
        return None
    read = [(_squeezed(anchor), _squeezed(target)) for anchor, target in reading.links or []]
    found = sum(
        any(_squeezed(anchor) == name and _squeezed(target) in where for name, where in read)
        for anchor, target in truth.links
    )
    return found / len(truth.links)


@dataclass
class Tally:
    """Shares by layout; ``mean`` skips layouts without the content."""

    by_layout: dict[str, Shares] = field(default_factory=dict)

    def mean(self, measure: str) -> float | None:
        """Mean over the layouts that have the measure."""
        numbers = [share for shares in self.by_layout.values() if (share := shares[measure]) is not None]
        return sum(numbers) / len(numbers) if numbers else None
