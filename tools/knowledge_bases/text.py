"""KB_text: short entries with their component, searched by radius, not by rank (MMAPG 3.2, 3.4).

Two bases: the statements of a knowledge graph (triplets, titles and captions), or, for a corpus without one,
its titles, sentences, table rows as sentences, and the words of pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from backtrail.language.terms import words
from backtrail.tools.corpus.protocol import CorpusReader, Vectors
from backtrail.tools.knowledge.protocol import KnowledgeReader

NAME_WORDS = 8
"""Longer queries are not compared with titles, as they are not names."""
TITLES_COMPARED = 10
"""Titles that each search (dense and lexical) gives for a name."""


@dataclass(frozen=True)
class Entry:
    """An entry within the radius of a query, with its similarity (1 - cosine distance)."""

    component: str
    text: str
    similarity: float


@dataclass(frozen=True)
class WithinRadius:
    """Entries within the radius of any query; ``capped`` if there were more than the limit."""

    entries: list[Entry]
    capped: bool


def interleave(lists: Sequence[Sequence[Entry]], limit: int, *, capped: bool) -> WithinRadius:
    """Interleave the entries of several queries, nearest first, without duplicates.

    Sorted by similarity alone, a query that is a bare name would crowd out one that is a sentence.
    """
    best: dict[tuple[str, str], float] = {}
    for place in range(max(map(len, lists), default=0)):
        for entries in lists:
            if place < len(entries):
                key = (entries[place].component, entries[place].text)
                best[key] = max(best.get(key, -1.0), entries[place].similarity)
    entries = [Entry(component, text, similarity) for (component, text), similarity in best.items()]
    return WithinRadius(entries[:limit], capped or len(entries) > limit)


class TextBase(Protocol):
    """Read access to the entries of one corpus. Blocking."""

    name: str

    def search(self, queries: Sequence[str], radius: float, limit: int) -> WithinRadius:
        """Return at most ``limit`` entries within a cosine distance of any query."""
        ...


class KnowledgeTexts:
    """Triplets, titles and captions of a knowledge graph.

    Args:
        corpus: the searched corpus; ``restricted`` if only statements of its documents may be found.
    """

    name = "triplets"

    def __init__(self, corpus: CorpusReader, knowledge: KnowledgeReader, *, restricted: bool = False) -> None:
        self._corpus = corpus
        self._knowledge = knowledge
        self._restricted = restricted

    def search(self, queries: Sequence[str], radius: float, limit: int) -> WithinRadius:
        """Return the statements within the radius of each query; exact."""
        lists: list[list[Entry]] = []
        capped = False
        within = self._components() if self._restricted else None
        for vector in self._corpus.embed(queries):
            found, more = self._knowledge.search_statements(vector[None], radius, limit, within)
            stored = self._knowledge.statements([scored["id"] for scored in found])
            known = [(stored[scored["id"]], scored["score"]) for scored in found if scored["id"] in stored]
            lists.append([Entry(statement.component, statement.text, score) for statement, score in known])
            capped |= more
        return interleave(lists, limit, capped=capped)

    def _components(self) -> list[str]:
        children = self._corpus.children(self._corpus.document_ids())
        return [component for members in children.values() for component in members]


class CorpusTexts:
    """Titles, sentences, rows and words of pictures; of each component only the nearest subcomponent."""

    name = "corpus"

    def __init__(self, corpus: CorpusReader) -> None:
        self._corpus = corpus

    def search(self, queries: Sequence[str], radius: float, limit: int) -> WithinRadius:
        """Return subcomponents within the radius of each query, and titles for queries that may be names."""
        lists: list[list[Entry]] = []
        capped = False
        for query, vector in zip(queries, self._corpus.embed(queries), strict=True):
            found = self._corpus.search_components(vector, "subcomponent", limit + 1)
            near = [scored for scored in found if scored["score"] >= 1 - radius]
            capped |= len(near) > limit
            entries = self._pieces(vector, {scored["id"]: scored["score"] for scored in near[:limit]})
            entries += self._titles(query, vector, radius)
            lists.append(sorted(entries, key=lambda entry: (-round(entry.similarity, 6), entry.component, entry.text)))
        return interleave(lists, limit, capped=capped)

    def _pieces(self, vector: Vectors, scores: dict[str, float]) -> list[Entry]:
        nearest = self._corpus.best_subcomponents(vector, list(scores))
        stored = self._corpus.subcomponents(list(nearest))
        texts = {piece.id: piece.text for pieces in stored.values() for piece in pieces}
        return [
            # A component without subcomponents is its own entry.
            Entry(component, texts.get(nearest[component][0], "") if component in nearest else "", score)
            for component, score in scores.items()
        ]

    def _titles(self, query: str, vector: Vectors, radius: float) -> list[Entry]:
        if len(words(query)) > NAME_WORDS:
            return []
        proposed = self._corpus.search_documents(vector, "document", TITLES_COMPARED)
        proposed += self._corpus.search_lexical(query, "document", TITLES_COMPARED)
        titles = {key: one.title for key, one in self._corpus.documents({one["id"] for one in proposed}).items()}
        children = self._corpus.children(titles)
        named = [key for key in sorted(titles) if titles[key].strip() and children.get(key)]
        if not named:
            return []
        similar = self._corpus.embed([titles[key] for key in named]) @ vector
        return [
            Entry(children[key][0], titles[key], float(near))
            for key, near in zip(named, similar, strict=True)
            if near >= 1 - radius
        ]
