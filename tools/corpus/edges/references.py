"""Edges by explicit references: a text names another document by its file or its title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np

from backtrail.tools.arrays.vector_rows import Mask
from backtrail.tools.corpus.edges.component_text import ComponentText, Word, words_of
from backtrail.tools.corpus.edges.edge import Edge
from backtrail.tools.corpus.edges.title_phrases import TitlePhrases, first_hash, phrase_hash

NAMED_BY = 8
"""Documents that may mention another by one phrase; a more frequent phrase is not a title."""
MOST_OF_DOCUMENT = 40
"""References kept of one document: a longer list is a register."""
_REMEMBERED = 1 << 16
"""Cached words, with the lengths of the phrases that begin with them."""
_GAP = 3
"""Characters allowed between two words of a phrase: a colon, a dash, a quotation mark."""


class Phrases:
    """Phrases that name exactly one document: file names in any case, titles in their own case."""

    def __init__(self, called: TitlePhrases) -> None:
        """Index title phrases."""
        self._hashes, self._rows = called.sole_owners()
        self._by_first = called.lengths()
        self._lengths = lru_cache(_REMEMBERED)(self._lengths_of)

    def _lengths_of(self, word: str) -> tuple[int, ...]:
        """Lengths of the phrases that begin with a word, the longest first."""
        return self._by_first.get(first_hash(word), ())

    def _named_by(self, words: Sequence[str], *, exact: bool) -> int:
        """The row of the document that a phrase names; -1 for none."""
        wanted = np.uint64(phrase_hash(words, exact=exact))
        place = int(np.searchsorted(self._hashes, wanted))
        return int(self._rows[place]) if place < len(self._hashes) and self._hashes[place] == wanted else -1

    def named(self, said: ComponentText, words: Sequence[Word]) -> Iterable[tuple[int, str]]:
        """Yield each phrase in a component, the longest per place: the document's row, and the phrase."""
        place = 0
        while place < len(words):
            length, target = self._at(said.text, words, place)
            if length:
                yield target, said.text[words[place].start : words[place + length - 1].end]
            place += length or 1

    def _at(self, text: str, words: Sequence[Word], place: int) -> tuple[int, int]:
        for length in self._lengths(words[place].text):
            here = words[place : place + length]
            if len(here) < length or any(not _adjacent(text, here[n], here[n + 1]) for n in range(length - 1)):
                continue
            written = tuple(word.text for word in here)
            target = self._named_by(written, exact=True)
            if target < 0:
                target = self._named_by([word.casefold() for word in written], exact=False)
            if target >= 0:
                return length, target
        return 0, -1


def _adjacent(text: str, word: Word, following: Word) -> bool:
    between = text[word.end : following.start]
    return len(between) <= _GAP and "\n" not in between and "|" not in between


class Reference(NamedTuple):
    """A mention of a document in a component: rows, the table row or -1, and the words.

    ``kept`` is false beyond ``MOST_OF_DOCUMENT``: these count, but make no edge.
    """

    source: int
    document: int
    target: int
    cell_row: int
    kept: bool
    anchor: str


def references(
    components: Iterable[ComponentText], phrases: Phrases, linked: Container[tuple[int, int]], loose: Mask
) -> Iterator[Reference]:
    """Find mentions of documents in components, each pair of documents once.

    The result for a document depends only on its text, its links and the phrases in it.

    Args:
        components: grouped by document.
        linked: directed pairs of document rows that a link joins already.
        loose: documents that no link leaves or reaches. In others only file names (with a dot) count, because their
            authors set links.
    """
    for document, members in groupby(components, key=lambda said: said.document):
        found: set[int] = set()
        for said in members:
            for target, anchor in phrases.named(said, words_of(said.text)):
                unwanted = target == document or (document, target) in linked or target in found
                if unwanted or (not loose[document] and "." not in anchor):
                    continue
                found.add(target)
                row = next((n for n, cells in enumerate(said.cells) if any(anchor in cell for cell in cells)), -1)
                yield Reference(said.row, document, target, row, len(found) <= MOST_OF_DOCUMENT, anchor)


def edges_of(found: Sequence[Reference]) -> list[Edge]:
    """The edges of references to documents that at most ``NAMED_BY`` others mention."""
    naming = Counter(one.target for one in found)
    return [
        Edge(one.source, one.target, -1, one.cell_row, "reference", one.anchor)
        for one in found
        if one.kept and naming[one.target] <= NAMED_BY
    ]
