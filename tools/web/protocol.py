"""Protocol of web searches, as methods use them: three searches that return components.

A search finds, fetches, cleans and cuts. Results are components like those of a corpus, so that one reader,
one evidence type and one kind of citation serve both. Contents are stored on the shelf on disk
(``Toolbox.contents`` reads them by id); the state has only ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from backtrail.state.component import Component, Document
from backtrail.state.usage import Charge


@dataclass(frozen=True)
class FoundComponent:
    """A result that can be read and cited.

    ``component`` is a text (a page, cut to the token limit) or an image (a stored picture with its
    caption). Its id starts with ``web:``, except for the corpus's own components. ``document`` has title
    and URL. ``position`` is the provider's rank from 1; ``score`` is comparable only within one search.
    """

    component: Component
    document: Document
    position: int
    score: float
    snippet: str = ""
    published: str = ""


@dataclass(frozen=True)
class Searched:
    """Result of one search.

    ``problems`` has a sentence per lost result (an unreadable page or picture); ``requests`` counts network requests.
    ``day`` is the ISO date of a web engine's answer; empty for a corpus."""

    found: tuple[FoundComponent, ...]
    charge: Charge
    problems: tuple[str, ...] = ()
    requests: int = 0
    day: str = ""

    @property
    def nothing(self) -> str:
        """Text about a search without results; a planner learns the date only from it."""
        return f"The search found nothing on {self.day}." if self.day else "The search found nothing."


class Searches(Protocol):
    """Searches by one provider, cached. Safe for concurrent tasks.

    Raises:
        SearchUnavailable: transient; the provider did not answer in time or is over its quota.
        SearchRejected: permanent; a missing or refused key, a picture without a public URL.
    An empty result is not an error: ``found`` is empty.
    """

    provider: str

    async def text(self, query: str) -> Searched:
        """Search pages for a query, cleaned and cut (CogPlanner: top 5, 800 tokens each)."""
        ...

    async def images_for_text(self, query: str) -> Searched:
        """Search pictures with captions for a query."""
        ...

    async def images_for_picture(self, blob: str) -> Searched:
        """Search pictures with captions that are similar to the question's picture (sha256 in the blob store)."""
        ...
