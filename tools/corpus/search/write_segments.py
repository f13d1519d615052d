"""Write a lexical index: share segments that stay, merge small ones with new rows."""

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
"""Most rows of a merged segment (ours): merging needs it in memory."""
_TIER = 10
"""A segment is merged with the next if it has fewer than this many times its rows (ours)."""
_MOST_DEAD = 0.25
"""Share of removed rows beyond which a segment is rewritten (ours)."""


class _Held(NamedTuple):
    """A segment of the new index: the earlier one, and the mask of its rows that stay."""

    segment: Segment
    stay: Mask
    folder: Path


class SegmentsWriter:
    """Writes segments into a new folder. ``finish`` makes it an index."""

    def __init__(self, folder: Path, earlier: Segments | None = None) -> None:
        """Create the folder; ``earlier`` is the index whose segments may be shared."""
        folder.mkdir(parents=True)
        self._folder = folder
        self._following = earlier.following if earlier else 0
        self._held: list[_Held] = []

    def take_over(self, folder: Path, earlier: Segments, stay: Mask, *, forget: bool) -> None:
        """Share the segments of an earlier index, of which the rows of a mask stay.

        Args:
            folder: folder of the earlier index.
            earlier: the index.
            stay: mask of its rows [n].
            forget: erase the rows that do not stay.
        """
        first = 0
        for segment in earlier.held:
            staying = segment.staying()
            staying[staying] = stay[first : first + segment.kept_rows]
            first += segment.kept_rows
            left, whole = int(np.count_nonzero(staying)), len(staying)
            if not left:
                continue
            if not segment.name or left < (1 - _MOST_DEAD) * whole or (forget and left < whole):
                self._save(updated(segment.postings(), staying, no_postings()))
            else:
                _link(folder / segment.name, self._folder / segment.name)
                self._held.append(_Held(segment, staying, self._folder / segment.name))

    def add(self, new: Postings) -> None:
        """Append rows, merged with preceding segments if these are small."""
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
        """Write the list of segments, and the row numbers of those with removed rows."""
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
    """Share the files of a segment, which are immutable."""
    folder.mkdir()
    for file in earlier.iterdir():
        try:
            os.link(file, folder / file.name)
        except OSError:  # a file system without hard links
            shutil.copyfile(file, folder / file.name)
