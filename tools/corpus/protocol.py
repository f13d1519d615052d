"""A stored corpus as the methods see it: read contents, follow links, search at three layers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from backtrail.state.component import Component, Document, Link, Subcomponent
from backtrail.state.hop import Granularity, Scored
from backtrail.state.path import EdgeKind
from backtrail.tools.corpus.dated_files import DatedFiles

Vectors = NDArray[np.float32]


class CorpusReader(Protocol):
    """Read access to one corpus. Thread-safe.

    All vectors are L2-normalised rows; similarity is their dot product, in [-1, 1]. Every search
    returns at most ``limit`` results, best first, ties by id, and never an id twice.
    Unknown ids are left out of the returned mappings; an empty ``among`` gives an empty result.
    """

    name: str
    version: str
    sees_pixels: bool
    """Whether pictures can be searched by their pixels, not only by their texts."""

    def language(self, text: str) -> str:
        """ISO 639-1 code of a text's language, among English and the languages of the documents."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Query vectors [n, dimension] by the corpus's own embedder."""
        ...

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        """Documents by id."""
        ...

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        """Components with contents and links, by id."""
        ...

    def document_ids(self) -> list[str]:
        """Ids of all documents, in reading order."""
        ...

    @property
    def dated_files(self) -> DatedFiles:
        """Files with a period or version, in reading order."""
        ...

    def phrase_candidates(self, phrase: str) -> list[str]:
        """Ids of components that may contain a phrase, in reading order: all that do, and perhaps others.

        A heading is contained in all components below it, a title in the first of its document."""
        ...

    def subcomponents(self, component_ids: Collection[str]) -> dict[str, list[Subcomponent]]:
        """Sentences, rows and objects of components, in order."""
        ...

    def children(self, document_ids: Collection[str]) -> dict[str, list[str]]:
        """Component ids of documents in reading order."""
        ...

    def links(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """Edges to other documents: authors' links in order of appearance (kind "internal").

        Then, unless the reader is ``authored``, references in texts ("reference") and, for documents without links,
        documents with the same rare name ("name")."""
        ...

    def pointers(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """References of components to tables, pictures and sections of their own documents: "see Table 3"."""
        ...

    def hierarchy(self, document_ids: Collection[str]) -> dict[str, list[Link]]:
        """Links of documents up (kind "parent") and down ("child") the navigation of their site, in its order.

        For documents without navigation and links: the other documents of a small folder ("sibling"). No author wrote
        these, so ``links`` and ``components`` leave them out. Documents without any are left out."""
        ...

    def labels(self, document_ids: Collection[str]) -> dict[str, list[Link]]:
        """Tags and dates (ISO) that authors gave documents, as targets of links of the kinds "tag" and "date".

        Documents without any are left out."""
        ...

    def edge_kinds(self) -> dict[EdgeKind, int]:
        """Numbers of edges between documents by kind: link, reference, name, hierarchy.

        Kinds without edges are left out."""
        ...

    def authored(self) -> CorpusReader:
        """The same corpus with no edges but the links that authors wrote."""
        ...

    def search_documents(
        self, query: Vectors, granularity: Granularity, limit: int, among: Collection[str] | None = None
    ) -> list[Scored]:
        """Documents by max similarity over their descendants at the layer of the granularity.

        ``among`` restricts to these documents (exact search); None searches the whole corpus.
        """
        ...

    def search_components(
        self, query: Vectors, granularity: Granularity, limit: int, documents: Collection[str] | None = None
    ) -> list[Scored]:
        """Components by similarity (granularity document or component: own vector; subcomponent: max
        over own subcomponents, the own vector where there are none), among the children of documents."""
        ...

    def search_lexical(
        self, query: str, layer: Granularity, limit: int, documents: Collection[str] | None = None
    ) -> list[Scored]:
        """BM25 over documents' summaries, components or subcomponents; scores are positive, results
        without a shared term are left out."""
        ...

    def search_in_context(self, query: str, limit: int, documents: Collection[str] | None = None) -> list[Scored]:
        """Components by BM25, half by their own words and half by those of their section."""
        ...

    def contexts(self, query: str, component_ids: Collection[str]) -> dict[str, float]:
        """Context scores of components for a text, in [0, 1], from their section and their document.

        The section (the text under one heading) counts by BM25, relative to the best section; the document by the
        similarity of its summary, and by its coverage of the text's terms."""
        ...

    def search_pictures(self, text: str, limit: int, documents: Collection[str] | None = None) -> list[Scored]:
        """Image components whose pixels are most similar to a text, among the children of documents.

        Scores are comparable only with each other. Empty when the corpus has no pixel encoder."""
        ...

    def search_pictures_like(self, file: Path, limit: int) -> list[Scored]:
        """Image components whose pixels are most similar to those of a picture file.

        Empty when the corpus has no pixel encoder. PictureUnreadable when the file is not a picture."""
        ...

    def rarity(self, terms: Collection[str]) -> dict[str, float]:
        """Inverse document frequency log(1 + N / (1 + df)) of stemmed terms over the components.

        Stems are those of ``backtrail.language.terms`` in the language of their document; unknown terms get the
        rarity of df = 0."""
        ...

    def document_terms(self, document_ids: Collection[str]) -> dict[str, frozenset[str]]:
        """Distinct content terms (stems) of documents: title and all components."""
        ...

    def component_terms(self, component_ids: Collection[str]) -> dict[str, frozenset[str]]:
        """Distinct content terms (stems) of components, with their document's title."""
        ...

    def vectors(self, ids: Sequence[str], layer: Granularity) -> Vectors:
        """Stored vectors [n, dimension] of ids of one layer, in the order given; KeyError on an unknown id."""
        ...

    def best_subcomponents(self, query: Vectors, component_ids: Collection[str]) -> dict[str, tuple[str, float]]:
        """For each component with subcomponents: the id of its most similar one, and the similarity."""
        ...

    def picture(self, blob: str) -> bytes:
        """The file of an image component by its SHA-256; KeyError when it is not stored."""
        ...
