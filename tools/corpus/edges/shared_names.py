"""Edges between documents without links that share a rare name.

Names are counted by their hashes in a first pass and written out in a second one, so that memory holds 16 bytes for
each occurrence and a corpus is read twice, whatever its size. A name joins at most ``RARE`` documents, and a document
is joined to at most ``MOST_JOINED`` others: work and edges grow with the corpus, never with its square.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from backtrail.tools.corpus.edges.component_text import ComponentText, Word, is_code, names_of, surely_names, words_of
from backtrail.tools.corpus.edges.edge import Edge

RARE = 4
"""Documents that may share a name: a more frequent one is their subject, or their letterhead."""
RARE_WORD = 3
"""The same for a one-word name, which is more ambiguous."""
MOST_JOINED = 8
"""Documents that one is joined to, those that share most first."""
MOST_NAMES = 2
"""Names by which one document is joined to another."""
NAMES_READ = 200
"""Names read of one component: a longer list is a register."""
WORD_WEIGHT = 0.5
"""Weight of a one-word name, relative to a longer one or an identifier."""

_Place = tuple[int, int, str]


def shared_names(read: Callable[[], Iterable[ComponentText]], documents: int) -> list[Edge]:
    """Edges between documents that share rare names, from first to first component with the name.

    Args:
        read: returns the components of the documents that may be joined, each time in the same order.
        documents: number of these documents.
    """
    places = _places(read, _rare_names(read))
    shared: dict[tuple[int, int], list[tuple[float, str]]] = defaultdict(list)
    for name, held in places.items():
        if len(held) < 2 or len(held) > (RARE if _is_long(name) else RARE_WORD):
            continue
        weight = math.log(1.0 + documents / len(held)) * (1.0 if _is_long(name) else WORD_WEIGHT)
        for source in held:
            for target in held:
                if source != target:
                    shared[source, target].append((-weight, name))
    return [
        Edge(here[0], target, places[name][target][0], here[1], "name", here[2])
        for (source, target), names in _kept(shared)
        for name in names
        for here in [places[name][source]]
    ]


class _Rare(NamedTuple):
    """Hashes of names in two to ``RARE`` documents, and of single words that are certainly names."""

    names: frozenset[int]
    words: frozenset[int]


def _rare_names(read: Callable[[], Iterable[ComponentText]]) -> _Rare:
    hashes, documents = array("q"), array("q")
    lowercase: set[int] = set()
    sure: set[int] = set()
    for said in read():
        words = words_of(said.text)
        lowercase.update(hash(word.text) for word in words if word.text.islower())
        sure.update(hash(name.casefold()) for name in surely_names(said.text, words))
        for name in _names(said, words):
            hashes.append(hash(name.casefold()))
            documents.append(said.document)
    if not hashes:
        return _Rare(frozenset(), frozenset())
    pairs = np.unique(np.stack([np.frombuffer(hashes, np.int64), np.frombuffer(documents, np.int64)], axis=1), axis=0)
    names, counts = np.unique(pairs[:, 0], return_counts=True)
    return _Rare(frozenset(names[(counts >= 2) & (counts <= RARE)].tolist()), frozenset(sure - lowercase))


def _places(read: Callable[[], Iterable[ComponentText]], rare: _Rare) -> dict[str, dict[int, _Place]]:
    """For each rare name, by document: its first component, table row and spelling.

    A single word is a name if it is capitalised within a sentence somewhere, and never in lower case.
    """
    if not rare.names:
        return {}
    places: dict[str, dict[int, _Place]] = {}
    for said in read():
        for name in _names(said, words_of(said.text)):
            folded = name.casefold()
            if hash(folded) in rare.names and (_is_long(name) or hash(folded) in rare.words):
                places.setdefault(folded, {}).setdefault(said.document, (said.row, _cell_row(said, name), name))
    return places


def _names(said: ComponentText, words: list[Word]) -> list[str]:
    return list(dict.fromkeys(names_of(said.text, words)))[:NAMES_READ]


def _is_long(name: str) -> bool:
    return " " in name or is_code(name)


def _cell_row(said: ComponentText, name: str) -> int:
    return next((number for number, cells in enumerate(said.cells) if any(name in cell for cell in cells)), -1)


def _kept(
    shared: dict[tuple[int, int], list[tuple[float, str]]],
) -> list[tuple[tuple[int, int], list[str]]]:
    """For each document those with the highest weight of shared names; ties in reading order."""
    by_source: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for (source, target), names in shared.items():
        by_source[source].append((sum(weight for weight, _ in names), target))
    return [
        ((source, target), [name for _, name in sorted(shared[source, target])[:MOST_NAMES]])
        for source, targets in sorted(by_source.items())
        for _, target in sorted(targets)[:MOST_JOINED]
    ]
