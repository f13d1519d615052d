"""Write a lexical index: segments that stay are shared, small ones merged with what is new, as search engines do."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.vector_rows import Mask
from backtrail.tools.arrays.write_text_rows import write_text_rows
from backtrail.tools.corpus.search.postings import Postings, no_postings, updated
from backtrail.tools.corpus.search.segments import FILE, Segment, Segments, open_segment

MOST_ROWS = 500_000
"""Rows of a segment that is merged with others (ours): merging one holds it in memory."""
_TIER = 10
"""A segment of fewer than so many times the rows of what follows it is merged with that (ours)."""
_MOST_DEAD = 0.25
"""Share of the rows of a segment that went: with more of them it is written anew (ours)."""


class _Held(NamedTuple):
    """A segment of the index in the making: as an earlier one has it, and which of its rows stay."""

    segment: Segment
    stay: Mask
    folder: Path


class SegmentsWriter:
    """Fills a new folder with segments. ``finish`` makes it an index."""

    def __init__(self, folder: Path, earlier: Segments | None = None) -> None:
        """Begin; ``earlier`` is the index whose segments may be shared."""
        folder.mkdir(parents=True)
        self._folder = folder
        self._following = earlier.following if earlier else 0
        self._held: list[_Held] = []

    def take_over(self, folder: Path, earlier: Segments, stay: Mask, *, forget: bool) -> None:
        """Share the segments of an earlier index; of the rows that it has, those of a mask stay.

        Args:
            folder: of the earlier index.
            earlier: the index.
            stay: [n], by its rows.
            forget: leave nothing of the rows that do not stay.
        """
        first = 0
        for segment in earlier.held:
            staying = segment.staying()
            staying[staying] = stay[first : first + segment.stay]
            first += segment.stay
            left, whole = int(np.count_nonzero(staying)), len(staying)
            if not left:
                continue
            if not segment.name or left < (1 - _MOST_DEAD) * whole or (forget and left < whole):
                self._save(updated(segment.postings(), staying, no_postings()))
            else:
                _link(folder / segment.name, self._folder / segment.name)
                self._held.append(_Held(segment, staying, self._folder / segment.name))

    def add(self, new: Postings) -> None:
        """Put rows behind the others, merged with what stands before them where that is small."""
        while self._held and len(new.lengths):
            last = self._held[-1]
            rows = int(np.count_nonzero(last.stay))
            if rows >= _TIER * len(new.lengths) or rows + len(new.lengths) > MOST_ROWS:
                break
            new = updated(last.segment.postings(), last.stay, new)
            self._held.pop()
            shutil.rmtree(last.folder)
        if len(new.lengths):
            self._save(new)

    def finish(self) -> None:
        """Name the segments, and number the rows of those that lost some."""
        named: list[tuple[str, int, int]] = []
        for segment, stay, _ in self._held:
            rows = int(np.count_nonzero(stay))
            if rows < len(stay):
                ranks = np.where(stay, np.cumsum(stay) - 1, -1).astype(np.int32)
                write_array(self._folder / f"{segment.name}.ranks.npy", ranks)
            named.append((segment.name, rows, int(segment.lengths[stay].sum(dtype=np.int64))))
        (self._folder / FILE).write_text(json.dumps([self._following, named]), "utf-8")

    def _save(self, new: Postings) -> None:
        name = f"s{self._following:06d}"
        self._following += 1
        own = self._folder / name
        own.mkdir()
        write_text_rows(own, "words", [new.words])
        for part in ("start", "rows", "counts", "lengths"):
            write_array(own / f"{part}.npy", getattr(new, part))
        rows = len(new.lengths)
        self._held.append(_Held(open_segment(self._folder, name, rows, 0), np.ones(rows, np.bool_), own))


def _link(earlier: Path, folder: Path) -> None:
    """Share the files of a segment, which are never written again."""
    folder.mkdir()
    for file in earlier.iterdir():
        try:
            os.link(file, folder / file.name)
        except OSError:  # a file system without hard links
            shutil.copyfile(file, folder / file.name)
