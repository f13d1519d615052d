"""Postings of a lexical index: count words by row, and merge two segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.arrays.vector_rows import Rows

Counts = NDArray[np.int32]


@dataclass(frozen=True)
class Postings:
    """Postings: the entries of word i are ``start[i]`` to ``start[i + 1]``, by ascending row.

    Attributes:
        words: words by number; each occurs.
        start: int64 [words + 1].
        rows, counts: row and count of each entry.
        lengths: number of words of each row [n], with repetitions.
    """

    words: Sequence[str]
    start: Rows
    rows: Counts
    counts: Counts
    lengths: Counts


def count_words(tokens: Sequence[Sequence[int]], vocabulary: Mapping[str, int]) -> Postings:
    """Count the numbered tokens of each row."""
    lengths = np.fromiter(map(len, tokens), np.int32, len(tokens))
    flat = np.fromiter((number for numbers in tokens for number in numbers), np.int64, int(lengths.sum()))
    entries, counts = np.unique(flat << 32 | np.repeat(np.arange(len(tokens)), lengths), return_counts=True)
    found, rows = entries >> 32, entries & 0xFFFFFFFF
    names: list[str] = [""] * (max(vocabulary.values(), default=-1) + 1)
    for name, number in vocabulary.items():
        names[number] = name
    each = np.bincount(found, minlength=len(names))
    return _without_unused(names, each, rows.astype(np.int32), counts.astype(np.int32), lengths)


def _without_unused(names: Sequence[str], each: Rows, rows: Counts, counts: Counts, lengths: Counts) -> Postings:
    """Postings of entries sorted by word (``each``: entries per word) and row, without unused words."""
    used = np.flatnonzero(each)
    start = np.concatenate([[0], np.cumsum(each[used])]).astype(np.int64)
    return Postings([names[number] for number in used.tolist()], start, rows, counts, lengths)


def updated(earlier: Postings, stay: NDArray[np.bool_], new: Postings) -> Postings:
    """Postings of the rows that stay, followed by the new ones."""
    row_of = np.cumsum(stay, dtype=np.int32) - 1
    held = stay[earlier.rows]
    first = int(np.count_nonzero(stay))
    numbers = {word: number for number, word in enumerate(earlier.words)}
    into = np.array([numbers.setdefault(word, len(numbers)) for word in new.words], np.int64)
    added = np.repeat(into, np.diff(new.start))
    by_number = np.argsort(added, kind="stable")
    # new rows follow all others, so each new entry follows the old ones of its word
    ends = np.cumsum(np.concatenate([[0], held]), dtype=np.int64)[earlier.start]
    ends = np.concatenate([ends, np.full(len(numbers) - len(earlier.words), ends[-1])])
    places = ends[1:][added[by_number]]
    return _without_unused(
        list(numbers),
        np.diff(ends) + np.bincount(added, minlength=len(numbers)),
        np.insert(row_of[earlier.rows[held]], places, (new.rows + first)[by_number]),
        np.insert(earlier.counts[held], places, new.counts[by_number]),
        np.concatenate([earlier.lengths[stay], new.lengths]),
    )


def no_postings() -> Postings:
    """Empty postings."""
    nothing = np.empty(0, np.int32)
    return Postings([], np.zeros(1, np.int64), nothing, nothing, nothing)
