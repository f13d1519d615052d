"""Open the page vectors of a corpus for searching."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from backtrail.tools.corpus.errors import PagesMismatch, PagesMissing
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.open_picture import open_picture
from backtrail.tools.corpus.pages.max_sim import max_sim
from backtrail.tools.corpus.pages.page_index import Page, PageIndex, PageVectors, pages_folder, read_index
from backtrail.tools.corpus.pages.page_places import document_hashes
from backtrail.tools.embedders.open import open_page_embedder
from backtrail.tools.embedders.protocol import PageEmbedder, Vectors
from backtrail.tools.home import cache_folder

_lock = threading.Lock()
_models: dict[str, PageEmbedder] = {}
_read: dict[Path, tuple[int, PageIndex]] = {}


@dataclass(frozen=True)
class FoundPage:
    """A page with its score, a sum of cosine similarities."""

    page: Page
    score: float


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

    def embed(self, question: str) -> Vectors:
        """Vectors [m, dimension] of a question. Opens the page model on first use; PagesMismatch if it changed."""
        return RecordedPages(self._corpus, self._index).embed_question(question)

    def search(self, question: Vectors, limit: int, documents: Collection[str]) -> list[FoundPage]:
        """The pages with the highest MaxSim, best first, ties in reading order, among those of these documents.

        Every page is compared: the search is exact. PagesMissing if vectors are lost.
        """
        among = set(documents) - self.unembedded.keys()
        pages = [page for page in self._index.pages if any(id_ in among for id_ in page.documents)]
        scores = max_sim(question, (self._vectors.get(page.key, self._corpus) for page in pages))
        best = np.argsort(-scores, kind="stable")[:limit]
        return [FoundPage(pages[row], float(scores[row])) for row in best.tolist()]


class RecordedPages:
    """Implements ``PageEmbedder`` with the model of an index, opened on use.

    Raises PagesMismatch on use if its name now means another model.
    """

    def __init__(self, corpus: str, index: PageIndex, opened: PageEmbedder | None = None) -> None:
        self.fingerprint = index.fingerprint
        self.dimension = index.dimension
        self._corpus, self._name, self._opened = corpus, index.model, opened

    def embed_page(self, path: Path) -> Vectors:
        """As the model does."""
        return self._model().embed_page(path)

    def embed_question(self, text: str) -> Vectors:
        """As the model does."""
        return self._model().embed_question(text)

    def _model(self) -> PageEmbedder:
        model = self._opened or shared_model(self._name)
        if model.fingerprint != self.fingerprint:
            raise PagesMismatch(self._corpus, self.fingerprint, model.fingerprint, self._name)
        return model


def open_pages(corpus: str, kind: str) -> PageSearch:
    """Open the page vectors of a corpus by models of a kind.

    Raises:
        CorpusNotFound: no such corpus.
        PagesMissing: its pages were not embedded; names the command that does.
    """
    with read_only(corpus) as connection:
        stored = document_hashes(connection)
    folder = pages_folder(corpus, kind)
    index = _read_once(folder)
    if index is None:
        raise PagesMissing(corpus, f"they were not embedded by a {kind} model", f"{kind}:FOLDER")
    changed = [id_ for id_, content in stored.items() if index.documents.get(id_) != content]
    stale = f"changed after the pages were embedded; run: backtrail corpus pages {corpus}"
    without = {id_: reason for id_, reason in index.without.items() if id_ in stored}
    return PageSearch(corpus, folder, index, without | dict.fromkeys(changed, stale))


def absolute_name(name: str) -> str:
    """The name of a page model with an absolute path, because it is recorded."""
    kind, _, path = name.partition(":")
    return f"{kind}:{Path(path).expanduser().absolute()}" if path else name


def shared_model(name: str) -> PageEmbedder:
    """The page model of a name, opened once per process."""
    with _lock:
        if name not in _models:
            _models[name] = open_page_embedder(name, cache_folder=cache_folder(), open_image=open_picture)
        return _models[name]


def _read_once(folder: Path) -> PageIndex | None:
    """The index of a folder, read again when its file changes."""
    try:
        changed = (folder / "index.json").stat().st_mtime_ns
    except FileNotFoundError:
        return None
    with _lock:
        held = _read.get(folder)
        if held is None or held[0] != changed:
            index = read_index(folder)
            if index is None:
                return None
            held = _read[folder] = (changed, index)
        return held[1]
