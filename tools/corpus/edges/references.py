"""Edges by explicit references: a text names another document by its file or its title."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
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
_MANY = 4
"""Words from which a longer title's first ones are enough to know it."""


class Target(NamedTuple):
    """What a document may be called: its row, its id (a path, for files) and its title."""

    row: int
    id: str
    title: str


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    target: int
    exact: bool


class Phrases:
    """What documents are called: file names in any case, titles as they are written; only what names one alone."""

    def __init__(self, targets: Iterable[Target]) -> None:
        named: dict[tuple[tuple[str, ...], bool], set[int]] = defaultdict(set)
        for target in targets:
            for phrase in _called(target):
                named[phrase.words, phrase.exact].add(phrase.target)
        self._exact: dict[tuple[str, ...], int] = {}
        self._folded: dict[tuple[str, ...], int] = {}
        self._lengths: dict[str, list[int]] = {}
        lengths: dict[str, set[int]] = defaultdict(set)
        for (words, exact), rows in named.items():
            if len(rows) == 1:
                (self._exact if exact else self._folded)[words] = next(iter(rows))
                lengths[words[0].casefold()].add(len(words))
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


def _called(target: Target) -> Iterable[_Phrase]:
    file = PurePosixPath(target.id)
    if _EXTENSION.fullmatch(file.suffix):
        yield _Phrase(_words(file.name.casefold()), target.row, False)
        if _tells(file.stem):
            yield _Phrase(_words(file.stem.casefold()), target.row, False)
    title = _words(target.title)
    if _tells(target.title):
        yield _Phrase(title, target.row, True)
    if len(title) > _MANY and ":" in target.title:  # "AutoGen: Enabling …" is called by all of it or by its head
        head = target.title.partition(":")[0]
        if _tells(head):
            yield _Phrase(_words(head), target.row, True)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.text for word in words_of(text))[:_LONGEST]


def _tells(text: str) -> bool:
    """Whether a title or file name is more than a common word: two words with content, or an identifier."""
    words = _words(text)
    if len(words) == 1:
        return is_code(words[0]) and len(words[0]) >= LEAST_TITLE
    return len(text) >= LEAST_TITLE and len(content_terms(text)) > 1


def references(
    components: Iterable[Said], phrases: Phrases, linked: Collection[tuple[int, int]], loose: Collection[int]
) -> list[Edge]:
    """Edges from components to the documents that they name, each pair of documents once.

    Args:
        linked: pairs of document rows that an author's link joins already, in its direction.
        loose: rows of documents that no author's link leaves or reaches. In others only file names count, which are
            found by their dot: their authors link what they mean.
    """
    found: dict[tuple[int, int], Edge] = {}
    named_by: dict[int, set[int]] = defaultdict(set)
    of_document: dict[int, int] = defaultdict(int)
    for said in components:
        for target, anchor in phrases.named(said, words_of(said.text)):
            pair = (said.document, target)
            unwanted = target == said.document or pair in linked or pair in found
            if unwanted or (said.document not in loose and "." not in anchor):
                continue
            named_by[target].add(said.document)
            if of_document[said.document] < MOST_OF_DOCUMENT:
                of_document[said.document] += 1
                row = next((n for n, cells in enumerate(said.cells) if any(anchor in cell for cell in cells)), -1)
                found[pair] = Edge(said.row, target, -1, row, "reference", anchor)
    return [edge for (_, target), edge in found.items() if len(named_by[target]) <= NAMED_BY]
