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

Vectors = NDArray[np.float32]


class CorpusReader(Protocol):
    """Read access to one corpus. Safe to share between threads.

    All vectors are L2-normalised rows; similarity is their dot product, in [-1, 1]. Every search
    returns at most ``limit`` results, best first, ties by id, and never an id twice.
    Unknown ids are left out of the returned mappings; an empty ``among`` gives an empty result.
    """

    name: str
    version: str
    sees_pixels: bool
    """Whether pictures can be searched by what they show, not only by the words about them."""

    def language(self, text: str) -> str:
        """ISO 639-1 code of the language a text is read in: of those that the documents are in, English besides."""
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

    def subcomponents(self, component_ids: Collection[str]) -> dict[str, list[Subcomponent]]:
        """Sentences, rows and objects of components, in order."""
        ...

    def children(self, document_ids: Collection[str]) -> dict[str, list[str]]:
        """Component ids of documents in reading order."""
        ...

    def links(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """Edges that leave the documents of the components: authors' links in order of appearance (kind "internal").

        Then, unless the reader is ``authored``, what the texts refer to ("reference") and, of documents that no
        author's link touches, what others say the same rare name ("name")."""
        ...

    def pointers(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """References of components to tables, pictures and sections of their own documents: "see Table 3"."""
        ...

    def hierarchy(self, document_ids: Collection[str]) -> dict[str, list[Link]]:
        """Links of documents up (kind "parent") and down ("child") the navigation of their site, in its order.

        Of documents without any those to the others of their folder ("sibling"), where they are few and no author's
        link touches them. No author wrote them, so ``links`` and ``components`` leave them out. Documents without any
        are left out."""
        ...

    def edge_kinds(self) -> dict[EdgeKind, int]:
        """How many edges of each kind lead from one document to another: link, reference, name, hierarchy.

        Kinds of which there are none are left out."""
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
        """Components by words, half by their own and half by those of the section they stand in."""
        ...

    def contexts(self, query: str, component_ids: Collection[str]) -> dict[str, float]:
        """How well what a component stands in fits a text, in [0, 1]: its section and its document.

        The section, what one heading of a document is over, by BM25 as a share of the best section's. The document
        by the similarity of its summary, and by which share of the text's terms it says."""
        ...

    def search_pictures(self, text: str, limit: int, documents: Collection[str] | None = None) -> list[Scored]:
        """Image components whose pixels are most similar to a text, among the children of documents.

        Scores compare with each other only. Empty when the corpus has no pixel encoder."""
        ...

    def search_pictures_like(self, file: Path, limit: int) -> list[Scored]:
        """Image components whose pixels are most similar to those of a picture file.

        Empty when the corpus has no pixel encoder. PictureUnreadable when the file is no picture."""
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
        """The file of an image component by its sha256; KeyError when it is not held."""
        ...
