"""Read access to one stored corpus: contents from SQL, searches over one generation of the index."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from copy import copy
from pathlib import Path

import numpy as np
from sqlalchemy import Engine

from backtrail.language.identify import language_of
from backtrail.language.terms import content_terms
from backtrail.state.component import Component, Document, Link, Subcomponent
from backtrail.state.hop import Granularity, Scored
from backtrail.state.path import EdgeKind
from backtrail.tools.arrays.vector_rows import Rows, take
from backtrail.tools.corpus import contents
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.dated_files import DatedFiles
from backtrail.tools.corpus.edges.count_edges import edge_kinds
from backtrail.tools.corpus.edges.stored_edges import StoredEdges
from backtrail.tools.corpus.generation import CONTENTS, LAYERS, VECTOR_INDEX, Generation, vector_layers
from backtrail.tools.corpus.identities import read_identities
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.record_cache import (
    RecordCache,
    weight_of_component,
    weight_of_document,
    weight_of_links,
)
from backtrail.tools.corpus.search.context_score import context_fit
from backtrail.tools.corpus.search.dense import DenseSearch
from backtrail.tools.corpus.search.exact import best, rows_of, similarity
from backtrail.tools.corpus.search.languages import read_languages
from backtrail.tools.corpus.search.lexical import WORDS, Scores, Words, matching, query_tokens, shares
from backtrail.tools.corpus.search.phrase_search import candidate_keys, phrase_keys
from backtrail.tools.corpus.search.picture_search import PictureSearch
from backtrail.tools.corpus.search.query_vectors import QueryVectors
from backtrail.tools.corpus.search.sections import Sections
from backtrail.tools.corpus.search.terms import TERMS, Terms
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.embedders.protocol import Embedder, PixelEmbedder
from backtrail.tools.vector_stores.index import VectorIndex

_log = logging.getLogger(__name__)


class StoredCorpus:
    """One generation of a corpus, opened for reading. Implements ``CorpusReader``.

    A later ingest does not change what this reader searches; ``open_corpus`` returns a reader of the newer generation.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        engine: Engine,
        meta: Meta,
        generation: Generation,
        embedder: Embedder,
        pixels: PixelEmbedder | None = None,
    ) -> None:
        self.name = name
        self.version = meta.version
        self._folder = folder
        self._engine = engine
        self._generation = generation
        self._queries = QueryVectors(embedder)
        self._blobs = BlobStore(folder)
        self._cached_components = RecordCache(weight_of_component)
        self._cached_documents = RecordCache(weight_of_document)
        self._cached_links: RecordCache[tuple[Link, ...]] = RecordCache(weight_of_links)
        self._edges: StoredEdges | None = StoredEdges(generation)
        index = VectorIndex(folder / VECTOR_INDEX / CONTENTS, vector_layers(generation, meta), name)
        self._nearest = DenseSearch(generation, index)
        # Opened now: the files of this generation are deleted two generations later.
        self._languages = tuple(read_languages(generation.folder))
        self.dated_files = DatedFiles(read_identities(generation), generation.documents.ids)
        self._words: dict[Granularity, Words] = {
            granularity: Words(generation.folder / WORDS / layer, self._languages)
            for granularity, layer in LAYERS.items()
        }
        self._sections = Sections(generation.folder / WORDS, self._languages)
        self._terms = Terms(generation.folder / TERMS)
        self._pictures = PictureSearch(generation.pictures, index, pixels) if pixels and generation.pictures else None
        self.sees_pixels = self._pictures is not None

    def language(self, text: str) -> str:
        """ISO 639-1 code of a text's language, among English and the languages of the documents."""
        return language_of(text, self._languages)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Query vectors [n, dimension] by the corpus's own embedder; repeated texts are cached."""
        return self._queries.embed(texts)

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        """Documents by id."""
        with self._engine.connect() as connection:
            return contents.documents(connection, ids, self.dated_files.identities, self._cached_documents)

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        """Components with contents and links, by id."""
        with self._engine.connect() as connection:
            return contents.components(connection, ids, self._cached_components)

    def document_ids(self) -> list[str]:
        """Ids of all documents, in reading order."""
        return self._generation.documents.ids[:]

    def phrase_candidates(self, phrase: str) -> list[str]:
        """Ids of components that contain the longest word of a phrase, or are below it, in reading order."""
        with self._engine.connect() as connection:
            keys = candidate_keys(connection, phrase)
        components = self._generation.components
        return [components.ids[row] for row in np.flatnonzero(np.isin(components.keys, keys)).tolist()]

    def subcomponents(self, component_ids: Collection[str]) -> dict[str, list[Subcomponent]]:
        """Sentences, rows and objects of components, in order."""
        with self._engine.connect() as connection:
            return contents.subcomponents(connection, component_ids)

    def children(self, document_ids: Collection[str]) -> dict[str, list[str]]:
        """Component ids of documents in reading order."""
        ids, start = self._generation.components.ids, self._generation.component_start
        rows = self._generation.documents.ids.find(contents.in_order(document_ids))
        return {id_: ids[int(start[row]) : int(start[row + 1])] for id_, row in rows.items()}

    def links(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """Edges to other documents: authors' links in order, then derived edges."""
        with self._engine.connect() as connection:
            found = contents.internal_links(connection, component_ids, self._cached_links)
        if self._edges is not None:
            leaving = self._edges.leaving(found)
            found = {id_: [*links, *leaving.get(id_, [])] for id_, links in found.items()}
        return found

    def pointers(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """References of components to tables, pictures and sections of their own documents."""
        ordered = contents.in_order(component_ids) if self._edges is not None else []
        return {id_: self._edges.within(id_) for id_ in ordered if self._edges is not None}

    def hierarchy(self, document_ids: Collection[str]) -> dict[str, list[Link]]:
        """Links of documents in the navigation of their site, in its order, or to siblings in a folder."""
        if self._edges is None:
            return {}
        with self._engine.connect() as connection:
            placed = contents.hierarchy(connection, document_ids)
        beside = {id_: self._edges.beside(id_) for id_ in document_ids if id_ not in placed}
        found = placed | {id_: links for id_, links in beside.items() if links}
        return {id_: found[id_] for id_ in contents.in_order(document_ids) if id_ in found}

    def labels(self, document_ids: Collection[str]) -> dict[str, list[Link]]:
        """Tags and dates that authors gave documents; documents without any are left out."""
        with self._engine.connect() as connection:
            return contents.labels(connection, document_ids)

    def edge_kinds(self) -> dict[EdgeKind, int]:
        """Numbers of edges between documents by kind."""
        with self._engine.connect() as connection:
            return edge_kinds(connection, self._generation.folder if self._edges is not None else None)

    def authored(self) -> StoredCorpus:
        """The same corpus with no edges but the links that authors wrote."""
        reader = copy(self)
        reader._edges = None
        return reader

    def search_documents(
        self, query: Vectors, granularity: Granularity, limit: int, among: Collection[str] | None = None
    ) -> list[Scored]:
        """Documents by max similarity over their descendants at the layer of the granularity.

        A document or component without descendants there counts by its own vector.
        """
        rows = None if among is None else self._document_rows(among)
        return self._nearest.search("document", granularity, _single(query), limit, rows)

    def search_components(
        self, query: Vectors, granularity: Granularity, limit: int, documents: Collection[str] | None = None
    ) -> list[Scored]:
        """Components by own similarity, or by the best of their subcomponents, among children of documents."""
        rows = None if documents is None else self._component_rows(documents)
        layer: Granularity = "subcomponent" if granularity == "subcomponent" else "component"
        return self._nearest.search("component", layer, _single(query), limit, rows)

    def search_lexical(
        self, query: str, layer: Granularity, limit: int, documents: Collection[str] | None = None
    ) -> list[Scored]:
        """BM25 over one layer; scores are positive, results without a shared term are left out.

        A query of function words alone is searched as a phrase.
        """
        rows = None
        if documents is not None:
            rows = self._document_rows(documents) if layer == "document" else self._component_rows(documents)
            if layer == "subcomponent":
                rows = rows_of(self._generation.subcomponent_start, rows)[0]
        if query.strip() and not query_tokens(query, self._languages):
            return self._phrase_search(query, layer, limit, rows)
        found, scores = matching(self._words[layer].scores(query), rows)
        ranked = best(self._generation.layer(layer).ids, found, scores, limit)
        return [Scored(id=id_, score=score) for id_, score in ranked]

    def _phrase_search(self, query: str, layer: Granularity, limit: int, rows: Rows | None) -> list[Scored]:
        """Search a query of function words alone as a phrase ("The Who"): the lexical index has none of them."""
        rows_of_layer = self._generation.layer(layer)
        with self._engine.connect() as connection:
            keys = phrase_keys(connection, LAYERS[layer], query)
        found = np.flatnonzero(np.isin(rows_of_layer.keys, keys))
        found = found if rows is None else np.intersect1d(found, rows)
        return [Scored(id=rows_of_layer.ids[row], score=1.0) for row in found[:limit].tolist()]

    def search_in_context(self, query: str, limit: int, documents: Collection[str] | None = None) -> list[Scored]:
        """Components by BM25, half by their own words and half by those of their section."""
        rows = None if documents is None else self._component_rows(documents)
        found, scores = matching((self._own_shares(query) + self._section_shares(query)) / np.float32(2), rows)
        ranked = best(self._generation.components.ids, found, scores, limit)
        return [Scored(id=id_, score=score) for id_, score in ranked]

    def contexts(self, query: str, component_ids: Collection[str]) -> dict[str, float]:
        """Context scores of components for a text: of sections by words, of documents by words and vectors."""
        known, start = self._generation.components.ids.find(component_ids), self._generation.component_start
        rows = np.array(list(known.values()), np.int64)
        documents, own = np.unique(np.searchsorted(start, rows, "right") - 1, return_inverse=True)
        near = similarity(self._generation.documents, documents, self.embed([query])[0])
        covered = self._terms.covered(content_terms(query, self.language(query)), documents, start)
        fits = context_fit(self._section_shares(query)[rows], near[own], covered[own])
        return dict(zip(known, fits.tolist(), strict=True))

    def _own_shares(self, query: str) -> Scores:
        """BM25 scores of all components, relative to the highest."""
        return shares(self._words["component"].scores(query), len(self._generation.components))

    def _section_shares(self, query: str) -> Scores:
        """BM25 scores of all components' sections, relative to the highest."""
        return self._sections.shares(query)[self._sections.of_component]

    def search_pictures(self, text: str, limit: int, documents: Collection[str] | None = None) -> list[Scored]:
        """Image components by the similarity of their pixels to a text; none without a pixel encoder.

        The first search opens the encoder; PixelsMismatch if it is another one now.
        """
        if self._pictures is None:
            return []
        keys = None if documents is None else self._generation.components.keys[self._component_rows(documents)]
        return [Scored(id=id_, score=score) for id_, score in self._pictures.search(text, limit, keys)]

    def search_pictures_like(self, file: Path, limit: int) -> list[Scored]:
        """Image components by the similarity of their pixels to those of a file."""
        if self._pictures is None:
            return []
        return [Scored(id=id_, score=score) for id_, score in self._pictures.search_like(file, limit)]

    def rarity(self, terms: Collection[str]) -> dict[str, float]:
        """Inverse document frequency log(1 + N / (1 + df)) of stemmed terms over the components."""
        return self._terms.rarity(terms)

    def document_terms(self, document_ids: Collection[str]) -> dict[str, frozenset[str]]:
        """Distinct content terms (stems) of documents: title and all components."""
        rows, start = self._generation.documents.ids.find(document_ids), self._generation.component_start
        return {id_: self._terms.of_document(row, start) for id_, row in rows.items()}

    def component_terms(self, component_ids: Collection[str]) -> dict[str, frozenset[str]]:
        """Distinct content terms (stems) of components, with their document's title."""
        rows = self._generation.components.ids.find(component_ids)
        return {id_: self._terms.of_component(row) for id_, row in rows.items()}

    def vectors(self, ids: Sequence[str], layer: Granularity) -> Vectors:
        """Stored vectors [n, dimension] of ids of one layer, in the order given; KeyError on an unknown id."""
        searched = self._generation.layer(layer)
        rows = searched.ids.find(ids)
        return take(searched.vectors, np.array([rows[id_] for id_ in ids], np.int64))

    def best_subcomponents(self, query: Vectors, component_ids: Collection[str]) -> dict[str, tuple[str, float]]:
        """For each component with subcomponents: the id of its most similar one, and the similarity."""
        generation = self._generation
        known = generation.components.ids.find(component_ids)
        rows, counts = rows_of(generation.subcomponent_start, np.array(list(known.values()), np.int64))
        scores = similarity(generation.subcomponents, rows, _single(query))
        found: dict[str, tuple[str, float]] = {}
        for id_, stop, count in zip(known, np.cumsum(counts), counts, strict=True):
            if count:
                top = stop - count + int(np.argmax(scores[stop - count : stop]))
                found[id_] = (generation.subcomponents.ids[int(rows[top])], float(scores[top]))
        return found

    def picture(self, blob: str) -> bytes:
        """The file of an image component by its SHA-256; KeyError when it is not stored."""
        return self._blobs.read(blob)

    def _document_rows(self, ids: Collection[str]) -> Rows:
        return np.array(sorted(self._generation.documents.ids.find(ids).values()), np.int64)

    def _component_rows(self, document_ids: Collection[str]) -> Rows:
        return rows_of(self._generation.component_start, self._document_rows(document_ids))[0]


def _single(query: Vectors) -> Vectors:
    """A query vector [dimension], from one or from [1, dimension]."""
    vector = np.asarray(query, np.float32)
    if vector.ndim == 2 and len(vector) == 1:
        vector = vector[0]
    if vector.ndim != 1:
        raise ValueError(f"One query vector is searched at a time, got an array of shape {vector.shape}.")
    return vector
