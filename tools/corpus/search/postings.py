"""Which rows have which words, and how often: what a lexical index is computed from, and updated by difference.

Stored in the format of bm25s, which searches it, with two files more: ``tf.npy`` (int32, how often, for each entry)
and ``lengths.npy`` (int32 [n], words of each row). Scores are those of bm25s to the last bit (Lucene's variant of BM25,
k1 1.5, b 0.75): they change with every change, as they depend on the number and length of all rows, but follow from
the counts in one pass over arrays.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import bm25s
import numpy as np
from numpy.typing import NDArray

from backtrail.tools.corpus.generation import Rows
from backtrail.tools.corpus.writing.array_file import write_array

Counts = NDArray[np.int32]
TF, LENGTHS = "tf.npy", "lengths.npy"
_INDICES, _STARTS, _VOCABULARY = "indices.csc.index.npy", "indptr.csc.index.npy", "vocab.index.json"


@dataclass(frozen=True)
class Postings:
    """The entries of word i are those from ``start[i]`` to ``start[i + 1]``, by rising rows.

    Attributes:
        words: in the order of their numbers; each occurs.
        start: int64 [words + 1].
        rows, counts: of each entry.
        lengths: words of each row [n], repeated ones counted.
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
    """Postings of entries by word, so many of ``each``, then row; words without an entry are left out."""
    used = np.flatnonzero(each)
    start = np.concatenate([[0], np.cumsum(each[used])]).astype(np.int64)
    return Postings([names[number] for number in used.tolist()], start, rows, counts, lengths)


def updated(earlier: Postings, stay: NDArray[np.bool_], new: Postings) -> Postings:
    """What counting all rows would give: the rows that stay, and the new ones behind them."""
    row_of = np.cumsum(stay, dtype=np.int32) - 1
    held = stay[earlier.rows]
    first = int(np.count_nonzero(stay))
    numbers = {word: number for number, word in enumerate(earlier.words)}
    into = np.array([numbers.setdefault(word, len(numbers)) for word in new.words], np.int64)
    added = np.repeat(into, np.diff(new.start))
    by_number = np.argsort(added, kind="stable")
    # new rows stand behind all others: each new entry goes behind the old ones of its word
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


def save_postings(folder: Path, postings: Postings) -> None:
    """Store an index that bm25s opens, and what the next one is computed from. No entries leave the folder empty."""
    if not len(postings.rows):
        return
    index = bm25s.BM25()
    starts = postings.start
    index.scores = {
        "data": _scores(postings, index.k1, index.b),
        "indices": postings.rows,
        "indptr": starts,
        "num_docs": len(postings.lengths),
    }
    index.vocab_dict = {word: number for number, word in enumerate(postings.words)}
    index.nonoccurrence_array = None
    index.save(folder, show_progress=False)
    write_array(folder / TF, postings.counts)
    write_array(folder / LENGTHS, postings.lengths)


def _scores(postings: Postings, k1: float, b: float) -> NDArray[np.float32]:
    """What bm25s computes row by row, in the same order of operations."""
    rows = len(postings.lengths)
    mean = postings.lengths.astype(np.int64).mean()
    frequency = np.diff(postings.start)
    rarity = np.array([math.log(1 + (rows - df + 0.5) / (df + 0.5)) for df in frequency.tolist()], np.float32)
    weights = np.repeat(rarity, frequency)
    norms = k1 * ((1 - b) + b * postings.lengths.astype(np.int64) / mean)
    scores = np.empty(len(postings.rows), np.float32)
    for first in range(0, len(scores), 1 << 20):  # blocks keep the float64 values between small
        block = slice(first, first + (1 << 20))
        counts = postings.counts[block].astype(np.float32)
        scores[block] = weights[block] * (counts / (norms[postings.rows[block]] + counts))
    return scores


def open_postings(folder: Path, rows: int) -> Postings | None:
    """The postings that an index of so many rows was computed from; None where it does not hold them."""
    try:
        if not any(folder.iterdir()):
            nothing = np.empty(0, np.int32)
            return Postings([], np.zeros(1, np.int64), nothing, nothing, np.zeros(rows, np.int32))
        numbers: dict[str, int] = json.loads((folder / _VOCABULARY).read_bytes())
        start, lengths = np.load(folder / _STARTS), np.load(folder / LENGTHS)
        held = Postings(list(numbers), start, np.load(folder / _INDICES), np.load(folder / TF), lengths)
    except (OSError, ValueError, EOFError):
        return None
    fits = len(lengths) == rows and len(held.rows) == len(held.counts) == start[-1] and len(numbers) == len(start) - 1
    return held if fits and list(numbers.values()) == list(range(len(numbers))) else None
