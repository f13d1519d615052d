"""Content terms of documents and components with their rarity, for coverage.

A component's terms come from its search text and its subcomponents', so that rows of a long table count although its
search text is truncated. Stored per generation as sorted rows of term numbers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Column, Connection, select

from backtrail.language.compounds import JOINTS, compound_parts
from backtrail.language.terms import content_terms
from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.mapped_array import map_array
from backtrail.tools.arrays.vector_rows import Rows
from backtrail.tools.corpus.difference import Difference
from backtrail.tools.corpus.search.languages import Languages, row_languages
from backtrail.tools.corpus.tables.schema import components, documents, subcomponents
from backtrail.tools.corpus.unique_numbers import distinct

TERMS = "terms"
"""The folder of the terms in a generation."""
_VOCABULARY = "vocabulary.json"
_FREQUENCY = "frequency.npy"
"""int64 [words]: number of components with each."""
_READ = 8_192
_BLOCK = 65_536  # components whose terms are counted at once
_Rows = tuple[NDArray[np.int32], Rows]
"""Term numbers by row, ascending within each, and their number per row."""


def build_terms(
    connection: Connection, folder: Path, languages: Languages, difference: Difference | None = None
) -> None:
    """Index the terms of all titles and components, in reading order, each in its language.

    Args:
        folder: created here.
        languages: language by document key; with a difference, none whose compounds are split.
        difference: reuse the terms of documents that stay from the previous generation.

    Raises:
        OSError, ValueError: the terms of the previous generation cannot be read.
    """
    folder.mkdir(parents=True)
    last = difference.last if difference else -1
    earlier = _Earlier(difference) if difference else None
    vocabulary: dict[str, int] = dict(earlier.vocabulary) if earlier else {}
    document_keys = _keys(connection, documents.c.key, last)
    titles = _pairs(connection, documents.c.key, documents.c.title, vocabulary, languages, document_keys)
    stored = {"documents": _joined("documents", earlier, [_distinct(document_keys, titles)])}
    own = list(_of_components(connection, vocabulary, languages, last))
    stored["components"] = _joined("components", earlier, own)
    _save(folder, stored, list(vocabulary))


def _of_components(
    connection: Connection, vocabulary: dict[str, int], languages: Languages, last: int
) -> Iterator[_Rows]:
    """Yield the terms of components after a key, by block; in one block where compounds are split."""
    keys = _keys(connection, components.c.key, last)
    spoken = row_languages(connection, components, languages, last)
    size = len(keys) if JOINTS.keys() & set(languages.values()) else _BLOCK
    for first in range(0, len(keys), max(size, 1)):
        some = keys[first : first + size]
        of_component = dict(zip(some.tolist(), islice(spoken, len(some)), strict=True))
        own = _pairs(connection, components.c.key, components.c.search_text, vocabulary, of_component, some)
        key = subcomponents.c.component_key
        pieces = _pairs(connection, key, subcomponents.c.search_text, vocabulary, of_component, some)
        pairs = np.concatenate([own, pieces])
        yield _distinct(some, np.concatenate([pairs, _parts(pairs, of_component, list(vocabulary))]))
    next(spoken, None)  # consumed, so that its cursor is closed


class _Earlier:
    """The terms of rows that stay from a previous generation."""

    def __init__(self, difference: Difference) -> None:
        self._folder = difference.previous.folder / TERMS
        self._stay = difference.kept
        words: list[str] = json.loads((self._folder / _VOCABULARY).read_bytes())
        self.vocabulary = {word: number for number, word in enumerate(words)}

    def kept(self, name: str) -> _Rows:
        """Term numbers of the rows that stay, and their number per row."""
        terms, start = _open(self._folder, name)
        counts, stay = np.diff(start), self._stay[name]
        if len(counts) != len(stay):
            raise ValueError(f"{self._folder}: terms of {len(counts)} {name}, not {len(stay)}")
        return terms[np.repeat(stay, counts)], counts[stay]


def _keys(connection: Connection, key: Column[int], last: int) -> Rows:
    return np.fromiter(connection.execute(select(key).where(key > last).order_by(key)).scalars(), np.int64)


def _pairs(
    connection: Connection,
    key: Column[int],
    text: Column[str],
    vocabulary: dict[str, int],
    languages: Languages,
    keys: Rows,
) -> Rows:
    """(key, term number) of each term of the texts with these keys, [n, 2]; languages are by key."""
    parts = [np.empty((0, 2), np.int64)]
    if not len(keys):
        return parts[0]
    statement = select(key, text).where(key.between(int(keys[0]), int(keys[-1])))
    for rows in connection.execute(statement, execution_options={"yield_per": _READ}).partitions():
        terms = ((row[0], term) for row in rows for term in content_terms(row[1], languages[row[0]]))
        found = [(number, vocabulary.setdefault(term, len(vocabulary))) for number, term in terms]
        parts.append(np.array(found, np.int64).reshape(-1, 2))
    return np.concatenate(parts)


def _parts(pairs: Rows, languages: Languages, names: Sequence[str]) -> Rows:
    """(key, term number) of the parts of compounds, split by the words of their language's texts, [n, 2]."""
    numbers = {name: number for number, name in enumerate(names)}
    found = [np.empty((0, 2), np.int64)]
    for language in JOINTS.keys() & set(languages.values()):
        own = np.fromiter((key for key, one in languages.items() if one == language), np.int64)
        here = np.unique(pairs[np.isin(pairs[:, 0], own)], axis=0)
        terms, counts = np.unique(here[:, 1], return_counts=True)
        frequency = {names[int(term)]: int(count) for term, count in zip(terms, counts, strict=True)}
        for whole, parts in compound_parts(frequency, language).items():
            keys = here[here[:, 1] == numbers[whole], 0]
            found += [np.column_stack([keys, np.full(len(keys), numbers[part])]) for part in parts]
    return np.concatenate(found)


def _distinct(keys: Rows, pairs: Rows) -> _Rows:
    """The distinct terms of each key, and their number per key."""
    rows = np.searchsorted(keys, pairs[:, 0])
    found = distinct(rows << 32 | pairs[:, 1])
    counts = np.bincount(found >> 32, minlength=len(keys)).astype(np.int64)
    return (found & 0xFFFFFFFF).astype(np.int32), counts


def _joined(name: str, earlier: _Earlier | None, new: Sequence[_Rows]) -> _Rows:
    """The rows that stay, followed by the new ones."""
    kept = earlier.kept(name) if earlier else (np.empty(0, np.int32), np.empty(0, np.int64))
    terms, counts = zip(kept, *new, strict=True)
    return np.concatenate(terms), np.concatenate(counts)


def _save(folder: Path, stored: Mapping[str, _Rows], words: Sequence[str]) -> None:
    """Store ``<name>.terms.npy`` with the offset of each row; unused terms are dropped."""
    used = np.zeros(len(words), np.bool_)
    for terms, _ in stored.values():
        used[terms] = True
    numbers = (np.cumsum(used) - 1).astype(np.int32)
    for name, (terms, counts) in stored.items():
        write_array(folder / f"{name}.terms.npy", numbers[terms])
        write_array(folder / f"{name}.start.npy", np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
    kept = [words[number] for number in np.flatnonzero(used).tolist()]
    frequency = np.bincount(stored["components"][0], minlength=len(words))[used]
    write_array(folder / _FREQUENCY, frequency.astype(np.int64))
    (folder / _VOCABULARY).write_text(json.dumps(kept, ensure_ascii=False), "utf-8")


class Terms:
    """The terms of one generation. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._words: list[str] = json.loads((folder / _VOCABULARY).read_bytes())
        self._numbers = {word: number for number, word in enumerate(self._words)}
        self._titles, self._title_start = _open(folder, "documents")
        self._terms, self._start = _open(folder, "components")
        self._frequency = map_array(folder / _FREQUENCY)

    @property
    def components(self) -> int:
        """Number of components."""
        return len(self._start) - 1

    def rarity(self, terms: Collection[str]) -> dict[str, float]:
        """log(1 + N / (1 + df)) over components; df = 0 for unknown terms."""
        return {term: math.log(1 + self.components / (1 + self._document_frequency(term))) for term in terms}

    def _document_frequency(self, term: str) -> int:
        number = self._numbers.get(term)
        return 0 if number is None else int(self._frequency[number])

    def of_component(self, row: int) -> frozenset[str]:
        """Distinct terms of a component row."""
        return self._named(self._terms[self._start[row] : self._start[row + 1]])

    def of_document(self, row: int, component_start: Rows) -> frozenset[str]:
        """Distinct terms of a document row: of its title and of all its components."""
        title = self._titles[self._title_start[row] : self._title_start[row + 1]]
        first, stop = component_start[row], component_start[row + 1]
        return self._named(np.concatenate([title, self._terms[self._start[first] : self._start[stop]]]))

    def covered(self, wanted: Collection[str], rows: Rows, component_start: Rows) -> NDArray[np.float32]:
        """Coverage of the wanted terms by each document row, weighted by rarity, in [0, 1] [rows]."""
        rarity = self.rarity(wanted)
        weights = np.zeros(len(self._words), np.float32)
        for term in wanted:
            if term in self._numbers:
                weights[self._numbers[term]] = rarity[term]
        total = math.fsum(rarity.values()) or 1.0  # fsum is independent of the order of sets
        found = np.zeros(len(rows), np.float32)
        for place, row in enumerate(rows.tolist()):
            first, stop = component_start[row], component_start[row + 1]
            said = self._terms[self._start[first] : self._start[stop]]
            title = self._titles[self._title_start[row] : self._title_start[row + 1]]
            known = np.concatenate([title, said[weights[said] > 0]])
            found[place] = math.fsum(weights[np.unique(known)].tolist()) / total
        return found

    def _named(self, numbers: NDArray[np.int32]) -> frozenset[str]:
        words = self._words
        return frozenset(words[number] for number in numbers.tolist())


def _open(folder: Path, name: str) -> tuple[NDArray[np.int32], Rows]:
    return map_array(folder / f"{name}.terms.npy"), map_array(folder / f"{name}.start.npy")
