"""Protocol of page readers, and our own."""

from __future__ import annotations

import asyncio
from typing import Protocol

from backtrail.tools.web.fetching.fetch import Fetcher, Permit
from backtrail.tools.web.fetching.page_text import PAGE_KINDS, PageText, page_text


class PageReader(Protocol):
    """Reads one page."""

    name: str

    async def read(self, url: str) -> PageText:
        """Return the page's text. Raises Unfetched, or Refused if our rules forbid it."""
        ...


class OwnReader:
    """Fetches and cleans pages in this process. Implements ``PageReader``."""

    name = "own"

    def __init__(self, fetcher: Fetcher, permit: Permit | None, most_bytes: int) -> None:
        self._fetcher = fetcher
        self._permit = permit
        self._most_bytes = most_bytes

    async def read(self, url: str) -> PageText:
        """Return the page's text."""
        page = await self._fetcher.get(url, kinds=PAGE_KINDS, most_bytes=self._most_bytes, permit=self._permit)
        return await asyncio.to_thread(page_text, page)
