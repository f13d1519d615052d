"""Title phrases of documents, stored as hashes.

``called.npy`` (uint64 [m, 2]) has the hash of each phrase, and a code of its first word and length;
``called.start.npy`` (int64 [documents + 1]) is the offset of each document's phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backtrail.language.terms import content_terms
from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.mapped_array import map_array
from backtrail.tools.arrays.vector_rows import Rows
from backtrail.tools.corpus.edges.component_text import Phrase, is_code, words_of

_ARRAY, _STARTS = "called.npy", "called.start.npy"
LEAST_TITLE = 8
"""Least characters of a title that is searched."""
_LONGEST = 12
"""Words of a phrase; a longer title is recognized by its first ones."""
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,5}")
_MANY = 4
"""Words beyond which the part of a title before a colon is a phrase too."""


class TitlePhrases(NamedTuple):
    """The phrases of each document, by its row.

    Attributes:
        phrases: uint64 [m, 2], grouped by document.
        start: int64 [documents + 1].
    """

    phrases: NDArray[np.uint64]
    start: Rows

    def kept(self, stay: NDArray[np.bool_]) -> TitlePhrases:
        """The phrases of the documents that stay."""
        counts = np.diff(self.start)
        return TitlePhrases(self.phrases[np.repeat(stay, counts)], _starts(counts[stay]))

    def followed_by(self, others: TitlePhrases) -> TitlePhrases:
        """The phrases of these documents, followed by others."""
        return all_title_phrases([self, others])

    @property
    def rows(self) -> Rows:
        """The document row of each phrase [m]."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def sole_owners(self, among: NDArray[np.uint64] | None = None) -> tuple[NDArray[np.uint64], Rows]:
        """Ascending hashes of the phrases that name exactly one document, with its row.

        Args:
            among: restrict to these hashes.
        """
        hashes, rows = self.phrases[:, 0], self.rows
        if among is not None:
            wanted = np.isin(hashes, among)
            hashes, rows = hashes[wanted], rows[wanted]
        order = np.lexsort((rows, hashes))
        hashes, rows = hashes[order], rows[order]
        first = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1]])) if len(hashes) else rows
        last = np.append(first[1:], len(hashes)) - 1
        sole = first[rows[first] == rows[last]] if len(hashes) else rows
        return hashes[sole], rows[sole]

    def lengths(self) -> dict[int, tuple[int, ...]]:
        """Lengths of phrases, the longest first, by the hash of their first word in lower case."""
        found: dict[int, list[int]] = {}
        for code in np.unique(self.phrases[:, 1])[::-1].tolist():
            found.setdefault(code >> 8, []).append(code & 0xFF)
        return {first: tuple(lengths) for first, lengths in found.items()}


def _starts(counts: Rows) -> Rows:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def all_title_phrases(parts: Sequence[TitlePhrases]) -> TitlePhrases:
    """Concatenate title phrases."""
    counts = np.concatenate([np.diff(part.start) for part in parts])
    return TitlePhrases(np.concatenate([part.phrases for part in parts]), _starts(counts))


def title_phrases_of(documents: Iterable[Sequence[Phrase]]) -> TitlePhrases:
    """The phrases of documents, in their order."""
    counts: list[int] = []

    def codes() -> Iterator[int]:
        for phrases in documents:
            counts.append(len(phrases))
            for phrase in phrases:
                yield phrase_hash(phrase.words, exact=phrase.exact)
                yield first_hash(phrase.words[0]) << 8 | len(phrase.words)  # at most 12

    flat = np.fromiter(codes(), np.uint64)
    return TitlePhrases(flat.reshape(-1, 2), _starts(np.array(counts, np.int64)))


def phrase_hash(words: Sequence[str], *, exact: bool) -> int:
    """A 64-bit hash of a phrase."""
    written = "\0".join([*words, "="] if exact else words)
    return int.from_bytes(blake2b(written.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def first_hash(word: str) -> int:
    """A 56-bit hash of a word in lower case."""
    return int.from_bytes(blake2b(word.casefold().encode("utf-8", "surrogatepass"), digest_size=7).digest())


def save_title_phrases(folder: Path, called: TitlePhrases) -> None:
    """Store the phrases."""
    write_array(folder / _ARRAY, called.phrases)
    write_array(folder / _STARTS, called.start)


def open_title_phrases(folder: Path) -> TitlePhrases:
    """Map stored phrases. FileNotFoundError or ValueError where they are missing or damaged."""
    return TitlePhrases(map_array(folder / _ARRAY), map_array(folder / _STARTS))


def titles_by(id_: str, title: str) -> list[Phrase]:
    """The phrases that may name a document, from its id (a path, for files) and its title."""
    found: list[Phrase] = []
    file = PurePosixPath(id_)
    if _EXTENSION.fullmatch(file.suffix):
        found.append(Phrase(_words(file.name.casefold()), False))
        if _is_distinctive(file.stem):
            found.append(Phrase(_words(file.stem.casefold()), False))
    words = _words(title)
    if _is_distinctive(title):
        found.append(Phrase(words, True))
    if len(words) > _MANY and ":" in title:  # "AutoGen: Enabling …" is also called by its head
        head = title.partition(":")[0]
        if _is_distinctive(head):
            found.append(Phrase(_words(head), True))
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.text for word in words_of(text))[:_LONGEST]


def _is_distinctive(text: str) -> bool:
    """Whether a title or file name is distinctive: two content words, or an identifier."""
    words = _words(text)
    if len(words) == 1:
        return is_code(words[0]) and len(words[0]) >= LEAST_TITLE
    return len(text) >= LEAST_TITLE and len(content_terms(text)) > 1
