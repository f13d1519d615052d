"""Request pages of a site at its allowed rate, with retries."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

import httpx

from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.home import cache_folder
from backtrail.tools.web import environment
from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.crawling.address import normal
from backtrail.tools.web.errors import Refused, Unfetched
from backtrail.tools.web.fetching.fetch import Fetched, Fetcher, Tally
from backtrail.tools.web.fetching.robots import Robots

LONGEST_DELAY = 300.0
"""Maximum delay between requests by robots.txt, in seconds; longer ones are reduced to this."""


class Moved(Refused):
    """The address redirects to another one."""

    def __init__(self, to: str) -> None:
        super().__init__(f"It redirects to {to}.", cause="moved")
        self.to = to


class PoliteClient:
    """Client of one site, with one request at a time. Belongs to one event loop.

    Args:
        rate: requests per second; a longer delay in robots.txt takes precedence.
        timeout: seconds for one answer, redirects included.
        until: the time (``time.monotonic``) after which nothing is retried.

    Raises:
        SettingsError: an environment variable is invalid.
    """

    def __init__(self, *, rate: float, timeout: float, until: float) -> None:
        self.tally = Tally()
        self._pause = 1 / rate
        self._until = until
        self._next = 0.0
        self._patience = Backoff(max_attempts=min(3, environment.search_patience().max_attempts))
        self._fetcher = Fetcher(loopback=environment.loopback_allowed(), timeout=timeout, tally=self.tally)
        self._robots = None
        if environment.robots_honoured():
            self._robots = Robots(self._fetcher, WebCache(cache_folder(), hours=0))  # requested once per crawl

    async def site_maps(self, url: str) -> Sequence[str]:
        """Return the site maps in robots.txt. Raises Unfetched if it cannot be read."""
        return await self._robots.site_maps(httpx.URL(url)) if self._robots else ()

    async def keep_pace(self, url: str) -> None:
        """Use the delay of robots.txt, if it is longer. Raises Unfetched if it cannot be read."""
        delay = await self._robots.delay(httpx.URL(url)) if self._robots else 0.0
        if math.isfinite(delay):
            self._pause = max(self._pause, min(delay, LONGEST_DELAY))

    async def answer(
        self,
        url: str,
        *,
        kinds: Collection[str],
        most_bytes: int,
        same: Callable[[str], bool],
        conditions: Mapping[str, str] | None = None,
    ) -> Fetched:
        """Request an address; 404 and 304 are answers, too.

        Args:
            same: whether a redirect to an address is followed, such as to the same page under https.

        Raises:
            Moved: it redirects to another address.
            Refused, Unfetched: see ``Fetcher.answer``.
        """

        def admit(hop: httpx.URL) -> None:
            if not same(str(hop)):
                raise Moved(normal(str(hop)))

        permit = self._robots.permit if self._robots else None

        async def attempt() -> Fetched:
            return await self._fetcher.answer(
                url, kinds=kinds, most_bytes=most_bytes, permit=permit, conditions=conditions, admit=admit
            )

        return await self._patiently(attempt)

    async def _patiently(self, attempt: Callable[[], Awaitable[Fetched]]) -> Fetched:
        failures = 0
        while True:
            await self._turn()
            try:
                return await attempt()
            except Unfetched as error:
                failures += 1
                wait = self._patience.wait(failures, error.retry_after)
                if not error.again or failures >= self._patience.max_attempts or time.monotonic() + wait > self._until:
                    raise
            await asyncio.sleep(wait)

    async def _turn(self) -> None:
        """Wait until the next request may be sent."""
        now = time.monotonic()
        await asyncio.sleep(max(0.0, self._next - now))
        self._next = max(now, self._next) + self._pause
