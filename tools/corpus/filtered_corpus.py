"""A corpus restricted to some of its documents.

Rarity of terms, context scores and languages stay those of the whole corpus: they only weight results.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from backtrail.state.component import Component, Document, Link, Subcomponent
from backtrail.state.hop import Granularity, Scored
from backtrail.state.path import EdgeKind
from backtrail.tools.corpus.dated_files import DatedFiles
from backtrail.tools.corpus.protocol import CorpusReader, Vectors

_ALL_PICTURES = 1_000_000


class FilteredCorpus:
    """The documents of a corpus with these ids, as ``select_documents`` returns them. Implements ``CorpusReader``."""

    def __init__(self, corpus: CorpusReader, ids: Collection[str]) -> None:
        self._corpus = corpus
        self._ids = frozenset(ids)
        self.name = corpus.name
        self.version = corpus.version
        self.sees_pixels = corpus.sees_pixels

    def _among(self, documents: Collection[str] | None) -> list[str]:
        return sorted(self._ids if documents is None else self._ids.intersection(documents))

    def _inside(self, links: list[Link]) -> list[Link]:
        return [link for link in links if link.target in self._ids]

    def language(self, text: str) -> str:
        """The language of a text, as in the whole corpus."""
        return self._corpus.language(text)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Query vectors by the corpus's own embedder."""
        return self._corpus.embed(texts)

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        """Included documents by id."""
        return self._corpus.documents([id_ for id_ in ids if id_ in self._ids])

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        """Components of included documents, with links to included documents only."""
        return {
            id_: one.model_copy(update={"links": tuple(self._inside(list(one.links)))})
            for id_, one in self._corpus.components(ids).items()
            if one.document in self._ids
        }

    def document_ids(self) -> list[str]:
        """Ids of included documents, in reading order."""
        return [id_ for id_ in self._corpus.document_ids() if id_ in self._ids]

    @property
    def dated_files(self) -> DatedFiles:
        """Files with a period or version, as far as they are included."""
        return self._corpus.dated_files.among(self._ids)

    def phrase_candidates(self, phrase: str) -> list[str]:
        """Components that may contain a phrase, of all documents: ``components`` leaves the others out."""
        return self._corpus.phrase_candidates(phrase)

    def subcomponents(self, component_ids: Collection[str]) -> dict[str, list[Subcomponent]]:
        """Sentences, rows and objects of components, in order."""
        return self._corpus.subcomponents(component_ids)

    def children(self, document_ids: Collection[str]) -> dict[str, list[str]]:
        """Component ids of included documents, in reading order."""
        return self._corpus.children([id_ for id_ in document_ids if id_ in self._ids])

    def links(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """Edges between included documents."""
        return {id_: self._inside(links) for id_, links in self._corpus.links(component_ids).items()}

    def pointers(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """References of components within their own documents."""
        return self._corpus.pointers(component_ids)

    def hierarchy(self, document_ids: Collection[str]) -> dict[str, list[Link]]:
        """Hierarchy links between included documents; documents without any are left out."""
        found = self._corpus.hierarchy([id_ for id_ in document_ids if id_ in self._ids])
        return {id_: inside for id_, links in found.items() if (inside := self._inside(links))}

    def labels(self, document_ids: Collection[str]) -> dict[str, list[Link]]:
        """Tags and dates of included documents."""
        return self._corpus.labels([id_ for id_ in document_ids if id_ in self._ids])

    def edge_kinds(self) -> dict[EdgeKind, int]:
        """The numbers of edges of the whole corpus."""
        return self._corpus.edge_kinds()

    def authored(self) -> CorpusReader:
        """The same documents with no edges but the links that authors wrote."""
        return FilteredCorpus(self._corpus.authored(), self._ids)

    def search_documents(
        self, query: Vectors, granularity: Granularity, limit: int, among: Collection[str] | None = None
    ) -> list[Scored]:
        """Included documents, by exact search."""
        return self._corpus.search_documents(query, granularity, limit, self._among(among))

    def search_components(
        self, query: Vectors, granularity: Granularity, limit: int, documents: Collection[str] | None = None
    ) -> list[Scored]:
        """Components of included documents, by exact search."""
        return self._corpus.search_components(query, granularity, limit, self._among(documents))

    def search_lexical(
        self, query: str, layer: Granularity, limit: int, documents: Collection[str] | None = None
    ) -> list[Scored]:
        """BM25 over one layer of the included documents."""
        return self._corpus.search_lexical(query, layer, limit, self._among(documents))

    def search_in_context(self, query: str, limit: int, documents: Collection[str] | None = None) -> list[Scored]:
        """Components of included documents by their own words and those of their section."""
        return self._corpus.search_in_context(query, limit, self._among(documents))

    def contexts(self, query: str, component_ids: Collection[str]) -> dict[str, float]:
        """Context scores, relative to the best section of the whole corpus."""
        return self._corpus.contexts(query, component_ids)

    def search_pictures(self, text: str, limit: int, documents: Collection[str] | None = None) -> list[Scored]:
        """Pictures of included documents by a text."""
        return self._corpus.search_pictures(text, limit, self._among(documents))

    def search_pictures_like(self, file: Path, limit: int) -> list[Scored]:
        """Pictures of included documents by a picture file."""
        inside = {id_ for ids in self._corpus.children(self._among(None)).values() for id_ in ids}
        found = self._corpus.search_pictures_like(file, _ALL_PICTURES)
        return [one for one in found if one["id"] in inside][:limit]

    def rarity(self, terms: Collection[str]) -> dict[str, float]:
        """The rarity of terms in the whole corpus."""
        return self._corpus.rarity(terms)

    def document_terms(self, document_ids: Collection[str]) -> dict[str, frozenset[str]]:
        """Distinct content terms of included documents."""
        return self._corpus.document_terms([id_ for id_ in document_ids if id_ in self._ids])

    def component_terms(self, component_ids: Collection[str]) -> dict[str, frozenset[str]]:
        """Distinct content terms of components, with their document's title."""
        return self._corpus.component_terms(component_ids)

    def vectors(self, ids: Sequence[str], layer: Granularity) -> Vectors:
        """Stored vectors of ids of one layer."""
        return self._corpus.vectors(ids, layer)

    def best_subcomponents(self, query: Vectors, component_ids: Collection[str]) -> dict[str, tuple[str, float]]:
        """For each component its most similar subcomponent."""
        return self._corpus.best_subcomponents(query, component_ids)

    def picture(self, blob: str) -> bytes:
        """The file of an image component by its SHA-256; KeyError when it is not stored."""
        return self._corpus.picture(blob)
