"""Open the page vectors of a corpus for searching."""

from __future__ import annotations

import threading
from collections.abc import Collection
from pathlib import Path

import numpy as np

from backtrail.tools.corpus.errors import PagesMismatch, PagesMissing
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.open_picture import open_picture
from backtrail.tools.corpus.pages.max_sim import max_sim
from backtrail.tools.corpus.pages.page_index import (
    Page,
    PageIndex,
    PageVectors,
    pages_folder,
    read_index,
    recorded_model,
)
from backtrail.tools.corpus.pages.page_places import document_hashes
from backtrail.tools.embedders.open import open_page_embedder
from backtrail.tools.embedders.protocol import PageEmbedder, Vectors
from backtrail.tools.home import cache_folder

_lock = threading.Lock()
_models: dict[str, PageEmbedder] = {}


class PageSearch:
    """Search over the page pictures of a corpus. Thread-safe.

    ``unembedded`` says why documents of the corpus cannot be found here, by id: they have no page pictures, or changed
    after their pages were embedded.
    """

    def __init__(self, corpus: str, folder: Path, index: PageIndex, unembedded: dict[str, str]) -> None:
        self.unembedded = unembedded
        self._corpus = corpus
        self._index = index
        self._vectors = PageVectors(folder, index.fingerprint, index.dimension)

    def model(self) -> PageEmbedder:
        """The model that embedded the pages, opened on first use. PagesMismatch if its name now means another one."""
        return RecordedPages(self._corpus, self._index).model()

    def search(self, question: Vectors, limit: int, documents: Collection[str]) -> list[tuple[Page, float]]:
        """The pages of these documents with the highest MaxSim, best first, ties by source and number.

        Every page is compared: the search is exact. PagesMissing if vectors are lost.
        """
        pages = self._index.among(set(documents) - self.unembedded.keys()).pages
        scores = max_sim(question, (self._vectors.get(page.key, self._corpus) for page in pages))
        best = np.argsort(-scores, kind="stable")[:limit]
        return [(pages[row], float(scores[row])) for row in best.tolist()]


class RecordedPages:
    """Implements ``PageEmbedder`` with the model of an index, opened on use.

    Raises PagesMismatch on use if its name now means another model.
    """

    def __init__(self, corpus: str, index: PageIndex) -> None:
        self.fingerprint = index.fingerprint
        self.dimension = index.dimension
        self._corpus, self._name = corpus, index.model

    def embed_page(self, path: Path) -> Vectors:
        """As the model does."""
        return self.model().embed_page(path)

    def embed_question(self, text: str) -> Vectors:
        """As the model does."""
        return self.model().embed_question(text)

    def model(self) -> PageEmbedder:
        """The model, opened."""
        model = shared_model(self._name)
        if model.fingerprint != self.fingerprint:
            raise PagesMismatch(self._corpus, self.fingerprint, model.fingerprint, self._name)
        return model


def open_pages(corpus: str, kind: str) -> PageSearch:
    """Open the page vectors of a corpus by models of a kind.

    Raises:
        CorpusNotFound: no such corpus.
        PagesMissing: no page is embedded; names the command that does.
    """
    with read_only(corpus) as connection:
        stored = document_hashes(connection)
    folder = pages_folder(corpus, kind)
    index = read_index(folder)
    if index is None:
        if recorded_model(folder):
            raise PagesMissing(corpus, f"{folder / 'index.json'} is damaged", "")
        raise PagesMissing(corpus, f"they were not embedded by a {kind} model", f"{kind}:FOLDER")
    if not index.pages:
        raise PagesMissing(corpus, "none of its documents is a PDF file or a picture", "")
    changed = [id_ for id_, content in stored.items() if index.documents.get(id_) != content]
    stale = f"changed after the pages were embedded; run: backtrail corpus pages {corpus}"
    return PageSearch(corpus, folder, index, index.among(stored).without | dict.fromkeys(changed, stale))


def shared_model(name: str) -> PageEmbedder:
    """The page model of a name, opened once per process."""
    with _lock:
        if name not in _models:
            _models[name] = open_page_embedder(name, cache_folder=cache_folder(), open_image=open_picture)
        return _models[name]
