"""Search the web: query the provider, fetch pages or pictures, store the usable ones.

A failed page or picture adds a sentence to ``problems``, and the search continues; a failed provider fails the
search.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from backtrail.state.web_settings import WebSettings
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.deciders.requests.rate_limit import RateLimiter
from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.errors import Refused, SearchRejected
from backtrail.tools.web.fetching.clean_picture import mark_of
from backtrail.tools.web.fetching.keep_pages import keep_page
from backtrail.tools.web.fetching.keep_pictures import keep_pictures
from backtrail.tools.web.fetching.search_session import SearchSession
from backtrail.tools.web.fetching.upload import public_address
from backtrail.tools.web.hit import Hit, Hits, NoHits, Provider
from backtrail.tools.web.protocol import FoundComponent, Searched
from backtrail.tools.web.retry import with_retries
from backtrail.tools.web.sanitize_text import one_line
from backtrail.tools.web.shelf import Shelf

LONGEST_QUERY = 400
"""Characters; Google accepts 32 words."""
_KEPT = TypeAdapter(tuple[Hit, ...] | NoHits)


class WebSearches:
    """Implements ``Searches`` over a provider.

    Args:
        limiter: the provider's rate limiter, shared by all searches of the process.
        set_out: opens the session of one search.
    """

    def __init__(
        self,
        provider: Provider,
        settings: WebSettings,
        *,
        cache: WebCache,
        shelf: Shelf,
        pictures: BlobStore,
        limiter: RateLimiter,
        set_out: Callable[[], SearchSession],
    ) -> None:
        self.provider = provider.name
        self._engine = provider
        self._settings = settings
        self._cache = cache
        self._shelf = shelf
        self._pictures = pictures
        self._limiter = limiter
        self._set_out = set_out

    async def text(self, query: str) -> Searched:
        """Return the engine's own answers, then pages; for unreadable pages their snippets."""
        trip, query = self._set_out(), one_line(query, LONGEST_QUERY)
        if not query:
            return trip.searched((), ("The query is empty; nothing was searched.",))
        key = {"kind": "pages", "query": query, "count": self._settings.pages}
        answer = await self._hits(key, lambda: self._engine.pages(query), trip)
        distinct: dict[str, Hit] = {}
        boxes: dict[str, Hit] = {}
        for hit in answer.hits:
            # A page may be both a result and the source of a box.
            (boxes if hit.box else distinct).setdefault(hit.url, hit)
        pages = list(distinct.values())[: self._settings.pages]
        wanted = [*boxes.values(), *pages]
        kept = await asyncio.gather(*(keep_page(hit, query, trip, self._settings, self._shelf) for hit in wanted))
        return trip.searched(tuple(found for found in kept if found), day=answer.day)

    async def images_for_text(self, query: str) -> Searched:
        """Return pictures for a query."""
        trip, query = self._set_out(), one_line(query, LONGEST_QUERY)
        if not query:
            return trip.searched((), ("The query is empty; nothing was searched.",))
        answer = await self._hits({"kind": "pictures", "query": query}, lambda: self._engine.pictures(query), trip)
        return trip.searched(await self._kept(answer.hits, [], trip), day=answer.day)

    async def images_for_picture(self, blob: str) -> Searched:
        """Return pictures similar to the question's, without copies of it."""
        trip = self._set_out()
        if not self._engine.sees_pictures:
            raise SearchRejected(
                f"{self.provider} cannot search by a picture. Set web.provider to serpapi or serper, or to corpus "
                "for a corpus that was ingested with --pixels."
            )
        file, mark = await asyncio.to_thread(self._question_picture, blob)

        async def ask() -> Hits:
            address = await public_address(file, self._settings.search_timeout, trip.tally)
            return await self._engine.like(address)

        answer = await self._hits({"kind": "like", "picture": blob}, ask, trip)
        return trip.searched(await self._kept(answer.hits, [mark], trip), day=answer.day)

    async def _hits(self, asked: Mapping[str, Any], ask: Callable[[], Awaitable[Hits]], trip: SearchSession) -> Hits:
        """Return the provider's answer, from the cache if possible."""
        place = {"language": self._settings.language, "country": self._settings.country}
        key = {"provider": self.provider, **asked, **place}
        cached = await self._cache.get("searches", key)
        if cached is not None:
            try:
                return _kept(_KEPT.validate_python(cached))
            except ValidationError:
                pass  # older format: search again

        async def attempt() -> Hits:
            trip.tally.requests += 1
            return await ask()

        answer = await with_retries(attempt, self._limiter, trip.patience, one_server=True)
        today = datetime.now(UTC).date().isoformat()
        dated = tuple(hit.model_copy(update={"searched": today}) for hit in answer.hits)
        if answer.note:  # an error of some kind, so these results are not cached
            trip.problems.append(f"{self.provider} reported besides its results: {answer.note}")
        else:
            await self._cache.put("searches", key, _KEPT.dump_python(dated or NoHits(searched=today), mode="json"))
        return Hits(dated, answer.note, today)

    def _question_picture(self, blob: str) -> tuple[Path, int]:
        try:
            content = self._pictures.read(blob)
        except KeyError:
            message = f"The question's picture {blob[:80]!r} is not stored here. Ask with --image FILE."
            raise SearchRejected(message) from None
        try:
            return self._pictures.path(blob), mark_of(content, "the question's picture")
        except Refused as error:
            raise SearchRejected(f"The question's picture cannot be used for a search: {error}") from error

    async def _kept(self, hits: tuple[Hit, ...], seen: list[int], trip: SearchSession) -> tuple[FoundComponent, ...]:
        return await keep_pictures(hits, seen, trip, self._settings, self._shelf, self._pictures)


def _kept(cached: tuple[Hit, ...] | NoHits) -> Hits:
    if isinstance(cached, NoHits):
        return Hits((), day=cached.searched)
    return Hits(cached, day=cached[0].searched if cached else "")
