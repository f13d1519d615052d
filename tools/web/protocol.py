"""The web as the methods see it: three searches that end in readable components.

A search finds, fetches, cleans and cuts; what comes back are components like those of a corpus, so
that one reader, one evidence type and one kind of citation serve both. The contents are kept on a
shelf on disk (``Toolbox.contents`` reads them back by id); the state holds ids alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from backtrail.state.component import Component, Document
from backtrail.state.usage import Charge


@dataclass(frozen=True)
class FoundComponent:
    """One result that can be read and cited.

    ``component`` is a text (a page, cut to the token limit) or an image (a stored picture with its
    caption). Its id starts with ``web:``; the corpus-backed provider gives the corpus's own
    components. ``document`` carries title and URL. ``position`` is 1-based as the provider ranked it,
    ``score`` is comparable within one search only.
    """

    component: Component
    document: Document
    position: int
    score: float
    snippet: str = ""
    published: str = ""


@dataclass(frozen=True)
class Searched:
    """What one search gave. ``trouble`` names what was lost on the way (a page that could not be read,
    a picture that was no picture), a sentence each; ``requests`` counts what went over the network. ``day``: when an
    engine of the web answered, by ISO date; a corpus has none."""

    found: tuple[FoundComponent, ...]
    charge: Charge
    trouble: tuple[str, ...] = ()
    requests: int = 0
    day: str = ""

    @property
    def nothing(self) -> str:
        """What is said of a search that found nothing: whoever plans on learns what day it is from this alone."""
        return f"The search found nothing on {self.day}." if self.day else "The search found nothing."


class Searches(Protocol):
    """Search by one provider, cached. Safe to use from several tasks at once.

    Raises:
        SearchUnavailable: transient; the provider did not answer in time or is over its quota.
        SearchRejected: permanent; a missing or refused key, a picture without a public URL.
    An empty result is a result: no error, ``found`` is empty.
    """

    provider: str

    async def text(self, query: str) -> Searched:
        """Pages for a query, cleaned and cut (CogPlanner: top 5, 800 tokens each)."""
        ...

    async def images_for_text(self, query: str) -> Searched:
        """Pictures with captions for a query."""
        ...

    async def images_for_picture(self, blob: str) -> Searched:
        """Pictures with captions that resemble the question's picture (sha256 in the blob store)."""
        ...
