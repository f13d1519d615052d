"""Searches of a local corpus in place of the web: the provider without a key.

Texts by hybrid search; pictures by the words about them, and by pixel vectors if the corpus has them. Results are the
corpus's components with their ids; nothing is fetched.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Literal

from backtrail.state.component import Component, Document
from backtrail.state.hop import Scored
from backtrail.state.usage import charge
from backtrail.state.web_settings import WebSettings
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.errors import PictureUnreadable
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.corpus.search.reciprocal_rank_fusion import fuse
from backtrail.tools.web.errors import SearchRejected
from backtrail.tools.web.protocol import FoundComponent, Searched
from backtrail.tools.web.sanitize_text import one_line

SNIPPET_CHARACTERS = 300
_CANDIDATES = 50
# Most corpora have few pictures: search deeper until there are enough, but not through millions.
_WIDEST = 3_200
# Pictures beyond the minimum are kept only with at least this share of the best score, a similarity for pixels,
# a rank fusion score for words (ours).
_NEAR_THE_BEST = 0.8

Sought = Literal["texts", "pictures"]


class CorpusSearches:
    """Implements ``Searches`` over an ingested corpus.

    Args:
        open_corpus: returns the current corpus; may raise a CorpusError.
        pictures: store of the questions' pictures.
    """

    provider = "corpus"

    def __init__(self, open_corpus: Callable[[], CorpusReader], pictures: BlobStore, settings: WebSettings) -> None:
        self._open_corpus = open_corpus
        self._question_pictures = pictures
        self._settings = settings

    async def text(self, query: str) -> Searched:
        """Search paragraphs and tables for a query."""
        return await asyncio.to_thread(self._text, query)

    async def images_for_text(self, query: str) -> Searched:
        """Search pictures whose words or pixels are nearest to a query."""
        return await asyncio.to_thread(self._images_for_text, query)

    async def images_for_picture(self, blob: str) -> Searched:
        """Search pictures whose pixels are nearest to the question's picture, except itself.

        Raises:
            SearchRejected: the corpus has no pixel vectors, or the picture is not stored here.
        """
        return await asyncio.to_thread(self._images_for_picture, blob)

    def _text(self, query: str) -> Searched:
        started = time.perf_counter()
        corpus = self._open_corpus()
        keep = self._settings.pages
        ranked, components = _ranked(corpus, query, keep, "texts")
        return _searched(corpus, ranked[:keep], components, started)

    def _images_for_text(self, query: str) -> Searched:
        started = time.perf_counter()
        corpus = self._open_corpus()
        keep = self._settings.max_images
        ranked, components = _ranked(corpus, query, keep, "pictures")
        if corpus.sees_pixels:
            seen = corpus.search_pictures(query, keep)
            ranked = fuse([ranked, seen], keep)
            components = corpus.components([scored["id"] for scored in ranked])
        return _searched(corpus, self._strong(ranked), components, started)

    def _images_for_picture(self, blob: str) -> Searched:
        started = time.perf_counter()
        corpus = self._open_corpus()
        if not corpus.sees_pixels:
            raise SearchRejected(
                f"The corpus {corpus.name!r} cannot be searched by a picture: it has no pixel encoder. Ingest it with "
                "--pixels cross-modal:FOLDER, or set web.provider to serpapi."
            )
        try:
            file = self._question_pictures.path(blob)
        except KeyError:
            raise SearchRejected(f"{blob[:80]!r} is not a picture. Ask with --image FILE, which stores it.") from None
        if not file.exists():
            raise SearchRejected(f"The question's picture {blob!r} is not stored here. Ask with --image FILE again.")
        try:
            found = corpus.search_pictures_like(file, self._settings.max_images + 1)
        except PictureUnreadable:
            raise SearchRejected(f"The question's picture {blob!r} cannot be decoded. Ask with another file.") from None
        components = corpus.components([scored["id"] for scored in found])
        others = [scored for scored in found if not _is(components.get(scored["id"]), blob)]
        return _searched(corpus, self._strong(others), components, started)

    def _strong(self, ranked: Sequence[Scored]) -> list[Scored]:
        """Return the minimum number of pictures, and further ones that are nearly as good as the best."""
        least, most = self._settings.min_images, self._settings.max_images
        floor = _NEAR_THE_BEST * ranked[0]["score"] if ranked else 0.0
        return [one for place, one in enumerate(ranked[:most]) if place < least or one["score"] >= floor]


def _ranked(corpus: CorpusReader, query: str, keep: int, sought: Sought) -> tuple[list[Scored], dict[str, Component]]:
    """Return components of the sought kind, best first, at least ``keep`` if the search finds so many."""
    if not query.strip():
        return [], {}
    vector = corpus.embed([query])
    limit = _CANDIDATES
    while True:
        near = corpus.search_components(vector, "component", limit)
        worded = corpus.search_lexical(query, "component", limit)
        components = corpus.components({scored["id"] for scored in (*near, *worded)})
        wanted = {
            id_ for id_, component in components.items() if (component.modality == "image") == (sought == "pictures")
        }
        rankings = [[scored for scored in ranking if scored["id"] in wanted] for ranking in (near, worded)]
        exhausted = len(near) < limit and len(worded) < limit
        if len(wanted) >= keep or exhausted or limit >= _WIDEST:
            return fuse(rankings, keep), components
        limit *= 4


def _is(component: Component | None, blob: str) -> bool:
    return component is not None and component.image is not None and component.image.blob == blob


def _searched(
    corpus: CorpusReader, ranked: Sequence[Scored], components: dict[str, Component], started: float
) -> Searched:
    documents = corpus.documents({components[scored["id"]].document for scored in ranked if scored["id"] in components})
    found = tuple(
        FoundComponent(component, document, position, scored["score"], snippet=_snippet(component))
        for position, (scored, component, document) in enumerate(_stored(ranked, components, documents), start=1)
    )
    return Searched(found, charge(stage="web", seconds=time.perf_counter() - started))


def _stored(
    ranked: Sequence[Scored], components: dict[str, Component], documents: dict[str, Document]
) -> list[tuple[Scored, Component, Document]]:
    """Return ranked components with their documents, without those that an ingest has removed meanwhile."""
    stored: list[tuple[Scored, Component, Document]] = []
    for scored in ranked:
        component = components.get(scored["id"])
        document = documents.get(component.document) if component else None
        if component and document:
            stored.append((scored, component, document))
    return stored


def _snippet(component: Component) -> str:
    """Return the component in one line, for planners."""
    if component.table is not None:
        parts = [component.table.caption, *component.table.header]
    elif component.image is not None:
        picture = component.image
        parts = [picture.title, picture.caption, picture.alt, picture.recognized]
    else:
        parts = [component.text or ""]
    return one_line(". ".join(dict.fromkeys(part for part in parts if part)), SNIPPET_CHARACTERS)
