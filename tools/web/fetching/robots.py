"""robots.txt, fetched with our own guards and read as RFC 9309 says.

A site without one allows everything; one whose robots.txt cannot be read at the moment allows nothing.
"""

from __future__ import annotations

import asyncio
import urllib.robotparser
from collections import defaultdict

import httpx

from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.errors import Refused, Unfetched
from backtrail.tools.web.fetching.fetch import AGENT, ANY_KIND, Fetcher

MOST_BYTES = 512_000  # RFC 9309 asks for at least 500 kibibytes


class Robots:
    """The rules of the sites that one search meets. Belongs to one event loop."""

    def __init__(self, fetcher: Fetcher, cache: WebCache) -> None:
        self._fetcher = fetcher
        self._cache = cache
        self._rules: dict[str, urllib.robotparser.RobotFileParser] = {}
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def permit(self, url: httpx.URL) -> None:
        """Raises Refused when the site does not want the page to be read, Unfetched when it cannot say."""
        origin = str(url.copy_with(path="/", query=None, fragment=None)).rstrip("/")
        async with self._asking[origin]:  # five pages of a site ask it once
            if origin not in self._rules:
                self._rules[origin] = _parsed(await self._text(origin))
        if not self._rules[origin].can_fetch(AGENT, str(url)):
            raise Refused(f"{url} is not fetched: {origin}/robots.txt forbids it.")

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
            ) from error
        text = answer.body.decode("utf-8", "replace")
        await self._cache.put("robots", key, text)
        return text


def _parsed(text: str) -> urllib.robotparser.RobotFileParser:
    rules = urllib.robotparser.RobotFileParser()
    rules.parse(text.splitlines())
    return rules
