"""Searches that are switched off: every search is refused, so that a planner sees that none was made."""

from __future__ import annotations

from typing import NoReturn

from backtrail.tools.web.errors import SearchRejected


class NoSearches:
    """Implements ``Searches`` by errors, as an empty result would mean that nothing was found."""

    provider = "none"

    async def text(self, query: str) -> NoReturn:
        """Raises SearchRejected."""
        raise _switched_off()

    async def images_for_text(self, query: str) -> NoReturn:
        """Raises SearchRejected."""
        raise _switched_off()

    async def images_for_picture(self, blob: str) -> NoReturn:
        """Raises SearchRejected."""
        raise _switched_off()


def _switched_off() -> SearchRejected:
    return SearchRejected("Search is switched off (web.provider is 'none'). Set it to corpus, serpapi or serper.")
