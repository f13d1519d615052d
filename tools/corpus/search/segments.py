"""A lexical index in immutable segments, shared by generations; a change adds a segment.

``segments.json`` names the segments in reading order; each is a folder with its vocabulary (``words``, see
``text_rows.py``) and its postings: the offsets of each word's entries (``start.npy``, int64 [words + 1]), their rows
and counts (``rows.npy``, ``counts.npy``, int32) and the number of words of each row (``lengths.npy``, int32 [n]). For a
segment with removed rows, ``<segment>.ranks.npy`` (int32 [n]) is the number of each remaining row, -1 for removed ones.

Scores equal those of bm25s to the last bit (Lucene's variant of BM25, k1 1.5, b 0.75). They depend on the number and
length of all rows, so they are computed at query time.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.arrays.mapped_array import map_array
from backtrail.tools.arrays.text_rows import TextRows, open_text_rows
from backtrail.tools.arrays.vector_rows import Rows
from backtrail.tools.corpus.search.postings import Counts, Postings

Scores = NDArray[np.float32]
FILE = "segments.json"
_K1, _B = 1.5, 0.75


class Segment(NamedTuple):
    """One segment, mapped.

    Attributes:
        name: name of its folder.
        words: vocabulary.
        start, rows, counts, lengths: postings.
        ranks: the number of each row among those that stay, -1 for removed ones; None where all stay.
        stay: number of rows that stay.
        word_count: number of their words.
    """

    name: str
    words: TextRows
    start: Rows
    rows: Counts
    counts: Counts
    lengths: Counts
    ranks: Counts | None
    kept_rows: int
    word_count: int

    def staying(self) -> NDArray[np.bool_]:
        """Mask of the rows that stay."""
        return np.ones(len(self.lengths), np.bool_) if self.ranks is None else self.ranks >= 0

    def postings(self) -> Postings:
        """All postings, also of removed rows."""
        return Postings(list(self.words), self.start, self.rows, self.counts, self.lengths)


class Segments:
    """The segments of a lexical index, in reading order. Thread-safe."""

    def __init__(self, segments: Sequence[Segment], following: int = 0) -> None:
        """Use segments; the next new one gets the number ``following``."""
        self.held, self.following = segments, following
        self.rows = sum(segment.kept_rows for segment in segments)
        mean = sum(segment.word_count for segment in segments) / max(self.rows, 1) or 1.0
        longest = max((int(segment.lengths.max(initial=0)) for segment in segments), default=0)
        self._norms = _K1 * ((1 - _B) + _B * np.arange(longest + 1) / mean)  # by length of a row

    def __contains__(self, word: object) -> bool:
        """Whether a row has a word."""
        return isinstance(word, str) and any(segment.words.row_of(word) is not None for segment in self.held)

    def vocabulary(self) -> Iterator[str]:
        """The words of every segment."""
        return (word for segment in self.held for word in segment.words)

    def scores(self, tokens: Sequence[str]) -> Scores | None:
        """BM25 score of every row [n] for the words of a query; None when no row has any of them."""
        parts = {token: _Scored(rows, values) for token, rows, values in self._scored(dict.fromkeys(tokens))}
        if not parts:
            return None
        scores = np.zeros(self.rows, np.float32)
        for token in tokens:
            if token in parts:
                rows, values = parts[token]
                scores[rows] += values
        return scores

    def _scored(self, tokens: dict[str, None]) -> Iterator[tuple[str, Rows, Scores]]:
        """Yield each known word with its rows and its part of their scores, as bm25s computes it."""
        entries: dict[str, list[tuple[Rows, Counts, Counts]]] = {}
        first = 0
        for segment in self.held:
            for token, number in segment.words.find(tokens).items():
                entries.setdefault(token, []).append(_entries(segment, number, first))
            first += segment.kept_rows
        for token, found in entries.items():
            rows, counts, lengths = found[0] if len(found) == 1 else map(np.concatenate, zip(*found, strict=True))
            if len(rows):
                rarity = np.float32(math.log(1 + (self.rows - len(rows) + 0.5) / (len(rows) + 0.5)))
                often = counts.astype(np.float32)
                values = self._norms[lengths]
                values += often
                np.divide(often, values, out=values)
                values *= rarity
                yield token, rows, values.astype(np.float32)


class _Scored(NamedTuple):
    rows: Rows
    values: Scores


def _entries(segment: Segment, number: int, first: int) -> tuple[Rows, Counts, Counts]:
    """The rows with a word, counted from ``first``, its count in each, and their lengths."""
    entries = slice(int(segment.start[number]), int(segment.start[number + 1]))
    rows, counts = segment.rows[entries], segment.counts[entries]
    placed = rows
    if segment.ranks is not None:
        placed = segment.ranks[rows]
        if placed.min(initial=0) < 0:
            stay = placed >= 0
            rows, counts, placed = rows[stay], counts[stay], placed[stay]
    return placed + np.int64(first), counts, segment.lengths[rows]


def open_segments(folder: Path) -> Segments:
    """Map the lexical index of a folder.

    Raises:
        OSError: a file is missing.
        ValueError: the files do not match.
    """
    following, named = json.loads((folder / FILE).read_bytes())
    return Segments([open_segment(folder, *one) for one in named], following)


def open_segment(folder: Path, name: str, kept_rows: int, word_count: int) -> Segment:
    """Map a segment, of which ``kept_rows`` rows with ``word_count`` words remain. Raises as ``open_segments``."""
    own = folder / name
    start, rows, counts, lengths = (map_array(own / f"{part}.npy") for part in ("start", "rows", "counts", "lengths"))
    segment = Segment(name, open_text_rows(own, "words"), start, rows, counts, lengths, None, kept_rows, word_count)
    if not len(rows) == len(counts) == start[-1] or len(segment.words) != len(start) - 1 or len(lengths) < kept_rows:
        raise ValueError(f"the files in {own} do not match")
    return segment if kept_rows == len(lengths) else segment._replace(ranks=map_array(folder / f"{name}.ranks.npy"))
