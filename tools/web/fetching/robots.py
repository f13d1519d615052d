"""robots.txt, fetched with our guards and read by RFC 9309.

A site without one allows everything; a site whose robots.txt is temporarily unreadable allows nothing.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence

import httpx
from protego import Protego

from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.errors import Forbidden, Unfetched
from backtrail.tools.web.fetching.fetch import AGENT, ANY_KIND, Fetcher

MOST_BYTES = 512_000  # RFC 9309 requires at least 500 kibibytes


class Robots:
    """Rules of the sites of one search. Belongs to one event loop."""

    def __init__(self, fetcher: Fetcher, cache: WebCache) -> None:
        self._fetcher = fetcher
        self._cache = cache
        self._rules: dict[str, Protego] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def permit(self, url: httpx.URL) -> None:
        """Raise Forbidden if robots.txt forbids the page, Unfetched if robots.txt cannot be read."""
        if not (await self._of(url)).can_fetch(str(url), AGENT):
            raise Forbidden(f"{url} is not fetched: {_origin(url)}/robots.txt forbids it.")

    async def delay(self, url: httpx.URL) -> float:
        """Return the site's crawl delay in seconds; 0 if it has none."""
        return (await self._of(url)).crawl_delay(AGENT) or 0.0

    async def site_maps(self, url: httpx.URL) -> Sequence[str]:
        """Return the addresses of the site's site maps."""
        return tuple((await self._of(url)).sitemaps)

    async def _of(self, url: httpx.URL) -> Protego:
        origin = _origin(url)
        async with self._locks[origin]:  # concurrent pages of a site request it once
            if origin not in self._rules:
                self._rules[origin] = Protego.parse(await self._text(origin))
        return self._rules[origin]

    async def _text(self, origin: str) -> str:
        key = {"origin": origin}
        cached = await self._cache.get("robots", key)
        if isinstance(cached, str):
            return cached
        try:
            answer = await self._fetcher.answer(f"{origin}/robots.txt", kinds=(ANY_KIND,), most_bytes=MOST_BYTES)
        except Unfetched as error:
            raise Unfetched(
                f"Pages of {origin} are not fetched, as its robots.txt cannot be read: {error}",
                again=error.again,
                retry_after=error.retry_after,
                cause="robots.txt cannot be read",
            ) from error
        text = answer.body.decode("utf-8", "replace")
        await self._cache.put("robots", key, text)
        return text


def _origin(url: httpx.URL) -> str:
    return str(url.copy_with(path="/", query=None, fragment=None)).rstrip("/")
