"""Edges by explicit references: a text names another document by its file or its title."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath
from typing import NamedTuple

from backtrail.language.terms import content_terms
from backtrail.tools.corpus.edges.edge import Edge
from backtrail.tools.corpus.edges.said import Said, Word, is_code, words_of

NAMED_BY = 8
"""Documents that may name another by one phrase; what more of them say is a phrase and no name of a document."""
MOST_OF_DOCUMENT = 40
"""References that are kept of one document: a longer list is a register."""
LEAST_TITLE = 8
"""Characters of a title that is looked for."""
_LONGEST = 12
"""Words of a phrase that is looked for; a longer title is known by its first ones."""
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,5}")
_GAP = 3
"""Characters between two words of one phrase: a colon, a dash, a quotation mark."""
_SEVERAL = -1
_MANY = 4
"""Words from which a longer title's first ones are enough to know it."""


class Phrase(NamedTuple):
    """What a document is called: its words, and whether they count as they are written only."""

    words: tuple[str, ...]
    exact: bool


class Phrases:
    """What documents are called: file names in any case, titles as they are written; only what names one alone."""

    def __init__(self, called: Sequence[Sequence[Phrase]]) -> None:
        """Collect what each document is called, by its row."""
        self.called = called
        self._exact: dict[tuple[str, ...], int] = {}
        self._folded: dict[tuple[str, ...], int] = {}
        lengths: dict[str, set[int]] = defaultdict(set)
        for phrase, row in sole_owners(called).items():
            (self._exact if phrase.exact else self._folded)[phrase.words] = row
            lengths[phrase.words[0].casefold()].add(len(phrase.words))
        self._lengths = {first: sorted(held, reverse=True) for first, held in lengths.items()}

    def named(self, said: Said, words: Sequence[Word]) -> Iterable[tuple[int, str]]:
        """Each phrase in a component, the longest at a place: the document's row, and the phrase as written."""
        place = 0
        while place < len(words):
            length, target = self._at(said.text, words, place)
            if length:
                yield target, said.text[words[place].start : words[place + length - 1].end]
            place += length or 1

    def _at(self, text: str, words: Sequence[Word], place: int) -> tuple[int, int]:
        for length in self._lengths.get(words[place].text.casefold(), ()):
            here = words[place : place + length]
            if len(here) < length or any(not _together(text, here[n], here[n + 1]) for n in range(length - 1)):
                continue
            written = tuple(word.text for word in here)
            target = self._exact.get(written, self._folded.get(tuple(map(str.casefold, written))))
            if target is not None:
                return length, target
        return 0, -1


def _together(text: str, word: Word, following: Word) -> bool:
    between = text[word.end : following.start]
    return len(between) <= _GAP and "\n" not in between and "|" not in between


def sole_owners(called: Sequence[Sequence[Phrase]]) -> dict[Phrase, int]:
    """The row of the one document that is called so, for every phrase that names one alone."""
    owners: dict[Phrase, int] = {}
    for row, phrases in enumerate(called):
        for phrase in phrases:
            if owners.setdefault(phrase, row) != row:
                owners[phrase] = _SEVERAL
    return {phrase: row for phrase, row in owners.items() if row != _SEVERAL}


def called_by(id_: str, title: str) -> list[Phrase]:
    """What a document may be called by its id (a path, for files) and its title."""
    found: list[Phrase] = []
    file = PurePosixPath(id_)
    if _EXTENSION.fullmatch(file.suffix):
        found.append(Phrase(_words(file.name.casefold()), False))
        if _tells(file.stem):
            found.append(Phrase(_words(file.stem.casefold()), False))
    words = _words(title)
    if _tells(title):
        found.append(Phrase(words, True))
    if len(words) > _MANY and ":" in title:  # "AutoGen: Enabling …" is called by all of it or by its head
        head = title.partition(":")[0]
        if _tells(head):
            found.append(Phrase(_words(head), True))
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.text for word in words_of(text))[:_LONGEST]


def _tells(text: str) -> bool:
    """Whether a title or file name is more than a common word: two words with content, or an identifier."""
    words = _words(text)
    if len(words) == 1:
        return is_code(words[0]) and len(words[0]) >= LEAST_TITLE
    return len(text) >= LEAST_TITLE and len(content_terms(text)) > 1


class Reference(NamedTuple):
    """A component names a document: rows, the row of the table that says it or -1, and the words.

    ``kept`` is false beyond those that are kept of one document: they count, but make no edge.
    """

    source: int
    document: int
    target: int
    cell_row: int
    kept: bool
    anchor: str


def references(
    components: Iterable[Said], phrases: Phrases, linked: Container[tuple[int, int]], loose: Collection[int]
) -> Iterator[Reference]:
    """Which documents components name, each pair of documents once.

    What is found of a document depends on it alone, on its links and on the phrases in it.

    Args:
        components: those of one document stand together.
        linked: pairs of document rows that an author's link joins already, in its direction.
        loose: rows of documents that no author's link leaves or reaches. In others only file names count, which are
            found by their dot: their authors link what they mean.
    """
    for document, members in groupby(components, key=lambda said: said.document):
        found: set[int] = set()
        for said in members:
            for target, anchor in phrases.named(said, words_of(said.text)):
                unwanted = target == document or (document, target) in linked or target in found
                if unwanted or (document not in loose and "." not in anchor):
                    continue
                found.add(target)
                row = next((n for n, cells in enumerate(said.cells) if any(anchor in cell for cell in cells)), -1)
                yield Reference(said.row, document, target, row, len(found) <= MOST_OF_DOCUMENT, anchor)


def edges_of(found: Sequence[Reference]) -> list[Edge]:
    """The edges of references to documents that few name; a phrase that more of them say is no name of one."""
    naming = Counter(one.target for one in found)
    return [
        Edge(one.source, one.target, -1, one.cell_row, "reference", one.anchor)
        for one in found
        if one.kept and naming[one.target] <= NAMED_BY
    ]
