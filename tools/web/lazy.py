"""Searches that open on first use, in a thread: importing a client takes a second and reads the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from backtrail.tools.web.protocol import Searched, Searches


class LazySearches:
    """Proxy of a provider that is opened when needed; creating it does not block an event loop."""

    def __init__(self, provider: str, open_searches: Callable[[], Searches]) -> None:
        self.provider = provider
        self._open = open_searches
        self._opened: Searches | None = None
        self._opening = threading.Lock()

    async def text(self, query: str) -> Searched:
        """As ``Searches.text``. Raises what opening the provider or the provider itself raises."""
        return await (await self._searches()).text(query)

    async def images_for_text(self, query: str) -> Searched:
        """As ``Searches.images_for_text``."""
        return await (await self._searches()).images_for_text(query)

    async def images_for_picture(self, blob: str) -> Searched:
        """As ``Searches.images_for_picture``."""
        return await (await self._searches()).images_for_picture(blob)

    async def _searches(self) -> Searches:
        return self._opened or await asyncio.to_thread(self._open_once)

    def _open_once(self) -> Searches:
        with self._opening:  # in a thread: waiting here blocks no event loop
            if self._opened is None:
                self._opened = self._open()
            return self._opened
