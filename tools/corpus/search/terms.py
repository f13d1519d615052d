"""Content terms of documents and components, and how rare they are: what coverage is measured in.

A component's terms are those of its search text and of its pieces', so that the rows of a long table
count although its search text is cut. Stored per generation as sorted rows of term numbers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Column, Connection, select

from backtrail.language.compounds import JOINTS, compound_parts
from backtrail.language.terms import content_terms
from backtrail.tools.corpus.generation import Rows
from backtrail.tools.corpus.search.languages import Languages, row_languages
from backtrail.tools.corpus.tables.schema import components, documents, subcomponents
from backtrail.tools.corpus.writing.array_file import write_array

_READ = 8_192


def build_terms(connection: Connection, folder: Path, languages: Languages) -> None:
    """Number the terms of all documents' titles and of all components, in reading order, each in its language."""
    folder.mkdir(parents=True)
    vocabulary: dict[str, int] = {}
    document_keys = _keys(connection, documents.c.key)
    component_keys = _keys(connection, components.c.key)
    of_component = dict(zip(component_keys.tolist(), row_languages(connection, components, languages), strict=True))
    titles = _pairs(connection, documents.c.key, documents.c.title, vocabulary, languages)
    own = _pairs(connection, components.c.key, components.c.search_text, vocabulary, of_component)
    pieces = _pairs(connection, subcomponents.c.component_key, subcomponents.c.search_text, vocabulary, of_component)
    held = np.concatenate([own, pieces])
    _save(folder, "documents", document_keys, titles)
    _save(folder, "components", component_keys, np.concatenate([held, _parts(held, of_component, list(vocabulary))]))
    (folder / "vocabulary.json").write_text(json.dumps(list(vocabulary), ensure_ascii=False), "utf-8")


def _keys(connection: Connection, key: Column[int]) -> Rows:
    return np.fromiter(connection.execute(select(key).order_by(key)).scalars(), np.int64)


def _pairs(
    connection: Connection, key: Column[int], text: Column[str], vocabulary: dict[str, int], languages: Languages
) -> Rows:
    """(key, term number) of each term of each text, [n, 2]; languages are by key."""
    parts = [np.empty((0, 2), np.int64)]
    for rows in connection.execute(select(key, text), execution_options={"yield_per": _READ}).partitions():
        terms = ((row[0], term) for row in rows for term in content_terms(row[1], languages[row[0]]))
        found = [(number, vocabulary.setdefault(term, len(vocabulary))) for number, term in terms]
        parts.append(np.array(found, np.int64).reshape(-1, 2))
    return np.concatenate(parts)


def _parts(pairs: Rows, languages: Languages, names: Sequence[str]) -> Rows:
    """(key, term number) of the parts of compounds, by the words of all texts of their language, [n, 2]."""
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


def _save(folder: Path, name: str, keys: Rows, pairs: Rows) -> None:
    """Store the distinct terms of each key: ``<name>.terms.npy`` and where each row of it starts."""
    rows = np.searchsorted(keys, pairs[:, 0])
    distinct = np.unique(rows << 32 | pairs[:, 1])
    write_array(folder / f"{name}.terms.npy", (distinct & 0xFFFFFFFF).astype(np.int32))
    write_array(folder / f"{name}.start.npy", np.searchsorted(distinct >> 32, np.arange(len(keys) + 1)))


class Terms:
    """The terms of one generation. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self._words: list[str] = json.loads((folder / "vocabulary.json").read_bytes())
        self._numbers = {word: number for number, word in enumerate(self._words)}
        self._titles, self._title_start = _open(folder, "documents")
        self._terms, self._start = _open(folder, "components")
        self._frequency = np.bincount(self._terms, minlength=len(self._words))

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

    def _named(self, numbers: NDArray[np.int32]) -> frozenset[str]:
        words = self._words
        return frozenset(words[number] for number in numbers.tolist())


def _open(folder: Path, name: str) -> tuple[NDArray[np.int32], Rows]:
    return np.load(folder / f"{name}.terms.npy"), np.load(folder / f"{name}.start.npy")
