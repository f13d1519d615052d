"""Searches that open on first use, in a thread: clients import for a second and read the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from backtrail.tools.web.protocol import Searched, Searches


class LazySearches:
    """Stands for a provider until it is needed; can be made in an event loop without blocking it."""

    def __init__(self, provider: str, open_searches: Callable[[], Searches]) -> None:
        self.provider = provider
        self._open = open_searches
        self._opened: Searches | None = None
        self._opening = threading.Lock()

    async def text(self, query: str) -> Searched:
        """As the provider does. Raises what opening or the provider itself raises."""
        return await (await self._searches()).text(query)

    async def images_for_text(self, query: str) -> Searched:
        """As ``text``."""
        return await (await self._searches()).images_for_text(query)

    async def images_for_picture(self, blob: str) -> Searched:
        """As ``text``."""
        return await (await self._searches()).images_for_picture(blob)

    async def _searches(self) -> Searches:
        return self._opened or await asyncio.to_thread(self._open_once)

    def _open_once(self) -> Searches:
        with self._opening:  # in a thread: waiting here blocks no event loop
            if self._opened is None:
                self._opened = self._open()
            return self._opened
