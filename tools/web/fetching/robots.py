"""robots.txt, fetched with our own guards and read as RFC 9309 says.

A site without one allows everything; one whose robots.txt cannot be read at the moment allows nothing.
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

MOST_BYTES = 512_000  # RFC 9309 asks for at least 500 kibibytes


class Robots:
    """The rules of the sites that one search meets. Belongs to one event loop."""

    def __init__(self, fetcher: Fetcher, cache: WebCache) -> None:
        self._fetcher = fetcher
        self._cache = cache
        self._rules: dict[str, Protego] = {}
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def permit(self, url: httpx.URL) -> None:
        """Raises Forbidden when the site does not want the page to be read, Unfetched when it cannot say."""
        if not (await self._of(url)).can_fetch(str(url), AGENT):
            raise Forbidden(f"{url} is not fetched: {_origin(url)}/robots.txt forbids it.")

    async def delay(self, url: httpx.URL) -> float:
        """Seconds between requests that the site of an address asks for; 0 where it asks for none."""
        return (await self._of(url)).crawl_delay(AGENT) or 0.0

    async def site_maps(self, url: httpx.URL) -> Sequence[str]:
        """Addresses of site maps that the site of an address names."""
        return tuple((await self._of(url)).sitemaps)

    async def _of(self, url: httpx.URL) -> Protego:
        origin = _origin(url)
        async with self._asking[origin]:  # five pages of a site ask it once
            if origin not in self._rules:
                self._rules[origin] = Protego.parse(await self._text(origin))
        return self._rules[origin]

    async def _text(self, origin: str) -> str:
        key = {"origin": origin}
        held = await self._cache.get("robots", key)
        if isinstance(held, str):
            return held
        try:
            answer = await self._fetcher.answer(f"{origin}/robots.txt", kinds=(ANY_KIND,), most_bytes=MOST_BYTES)
        except Unfetched as error:
            raise Unfetched(
                f"{origin} is not asked for pages, since its robots.txt cannot be read: {error}",
                again=error.again,
                retry_after=error.retry_after,
                cause="robots.txt cannot be read",
            ) from error
        text = answer.body.decode("utf-8", "replace")
        await self._cache.put("robots", key, text)
        return text


def _origin(url: httpx.URL) -> str:
    return str(url.copy_with(path="/", query=None, fragment=None)).rstrip("/")
