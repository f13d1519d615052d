"""The toolbox of nodes: corpora, models and searches, opened on first use and shared."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from backtrail.state.decision import Role
from backtrail.state.page_images.settings import PageModelKind
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.variant import OURS
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.filtered_corpus import FilteredCorpus
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.corpus.select_documents import select_documents
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.deciders.protocol import Decider
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import home
from backtrail.tools.knowledge.errors import KnowledgeNotRestrictable
from backtrail.tools.knowledge.protocol import KnowledgeReader
from backtrail.tools.web.contents import Contents, ContentsReader
from backtrail.tools.web.lazy import LazySearches
from backtrail.tools.web.protocol import Searches
from backtrail.tools.web.shelf import Shelf

if TYPE_CHECKING:
    from backtrail.tools.corpus.pages.open import PageSearch

MOST_SELECTIONS = 64
"""Selections of documents that are kept for a corpus (ours)."""


def open_stored_corpus(name: str) -> CorpusReader:
    """The ingested corpus of that name, opened for reading."""
    from backtrail.tools.corpus.open import open_corpus  # chromadb is slow to import: only when used

    return open_corpus(name)


def open_stored_knowledge(name: str) -> KnowledgeReader:
    """The knowledge graph of the corpus of that name, opened for reading."""
    from backtrail.tools.knowledge.open import open_knowledge  # as above

    return open_knowledge(name)


def open_stored_pages(name: str, kind: PageModelKind) -> PageSearch:
    """The page pictures of the corpus of that name, embedded by a model of that kind."""
    from backtrail.tools.corpus.pages.open import open_pages  # as above

    return open_pages(name, kind)


def open_chat_model(model: str, settings: Settings) -> Decider:
    """A decider over a chat model named 'provider:model'."""
    from backtrail.tools.deciders.open import open_decider  # openai is slow to import: only when used

    effort = None if settings.effort == "default" else settings.effort
    return open_decider(
        model, temperature=settings.temperature, variant=settings.variant, effort=effort, seed=settings.seed
    )


class Toolbox:
    """Corpora and deciders by settings. Tests pass their own openers."""

    def __init__(
        self,
        open_corpus: Callable[[str], CorpusReader] = open_stored_corpus,
        open_decider: Callable[[str, Settings], Decider] = open_chat_model,
        open_knowledge: Callable[[str], KnowledgeReader] = open_stored_knowledge,
        open_searches: Callable[[Settings], Searches] | None = None,
        open_pages: Callable[[str, PageModelKind], PageSearch] = open_stored_pages,
    ) -> None:
        self._open_corpus = open_corpus
        self._open_decider = open_decider
        self._open_knowledge = open_knowledge
        self._open_searches = open_searches
        self._open_pages = open_pages
        self.rules: Decider = OfflineDecider()
        self._deciders: dict[tuple[object, ...], Decider] = {}
        self._selections: WeakKeyDictionary[CorpusReader, dict[tuple[str, ...], list[str]]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def corpus(self, settings: Settings) -> CorpusReader:
        """The corpus named by the settings, in its current generation.

        Restricted to the documents that the settings select. In published variants, and with ``edges = "links"``, it
        has no edges but links. Blocking: async nodes call it in a thread.
        """
        corpus = self._open_corpus(settings.corpus)
        only_links = settings.edges == "links" or settings.variant != OURS
        ids = self._selected_documents(corpus, settings.documents) if settings.documents else None
        corpus = corpus.authored() if only_links else corpus
        return corpus if ids is None else FilteredCorpus(corpus, ids)

    def _selected_documents(self, corpus: CorpusReader, entries: tuple[str, ...]) -> list[str]:
        """Select documents once for a generation of a corpus: every node of a run asks for them."""
        with self._lock:
            selections = self._selections.setdefault(corpus, {})
        if (ids := selections.get(entries)) is None:
            ids = select_documents(corpus, entries)
            if len(selections) >= MOST_SELECTIONS:
                selections.clear()
            selections[entries] = ids
        return ids

    def knowledge(self, settings: Settings) -> KnowledgeReader:
        """The knowledge graph of the corpus named by the settings, in its current generation. Blocking.

        Raises:
            KnowledgeMissing: the corpus has none; the message names the command that builds it.
            KnowledgeNotRestrictable: the settings name documents, but entities and relations merge the whole corpus.
        """
        if settings.documents:
            raise KnowledgeNotRestrictable(settings.corpus)
        return self._open_knowledge(settings.corpus)

    def statements(self, settings: Settings) -> KnowledgeReader:
        """The knowledge graph for its statements, which can be searched within components. Blocking.

        Raises:
            KnowledgeMissing: the corpus has none.
        """
        return self._open_knowledge(settings.corpus)

    def pages(self, settings: Settings) -> PageSearch:
        """The page pictures of the corpus named by the settings, embedded by the model they name. Blocking.

        Raises:
            PagesMissing: no such model embedded them; the message names the command that does.
        """
        return self._open_pages(settings.corpus, settings.page_images.model)

    def searches(self, settings: Settings) -> Searches:
        """The search of the provider that the settings name, on the web or a stand-in; opened on first use."""
        if self._open_searches is not None:
            return self._open_searches(settings)

        def opened() -> Searches:
            from backtrail.tools.web.open import open_searches  # HTTP clients are slow to import: only when used

            return open_searches(settings.web, lambda: self.corpus(settings))

        return LazySearches(settings.web.provider, opened)

    def contents(self, settings: Settings) -> ContentsReader:
        """Contents of evidence from the web or the corpus, which is opened only when needed.

        Reading blocks: async nodes read in a thread.
        """
        return Contents(Shelf(home()), BlobStore(home()), lambda: self.corpus(settings))

    def decider(self, role: Role, settings: Settings) -> Decider:
        """The decider of a role."""
        model = settings.model_for(role)
        key = (
            model,
            settings.temperature,
            settings.effort,
            settings.seed,
            settings.variant,
        )  # recordings name the variant
        with self._lock:
            if key not in self._deciders:
                offline = model == OFFLINE
                self._deciders[key] = self.rules if offline else self._open_decider(model, settings)
            return self._deciders[key]

    def question_picture(self, blob: str) -> bytes:
        """The picture of a question, by the SHA-256 digest in the state.

        Raises:
            SettingsError: no picture with that digest is stored.
        """
        try:
            return BlobStore(home()).read(blob)
        except KeyError:
            raise SettingsError(
                f"The question's picture {blob!r} is not stored under {home()}. Ask with --image FILE, which stores it."
            ) from None
