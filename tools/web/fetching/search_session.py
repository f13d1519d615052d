"""Shared objects of one web search: cache, fetcher, reader, limits, tally, start time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from backtrail.state.usage import charge
from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.rate_limit import RateLimiter
from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.fetching.fetch import Fetcher, Permit, Tally
from backtrail.tools.web.fetching.page_reader import PageReader
from backtrail.tools.web.protocol import FoundComponent, Searched


@dataclass(frozen=True)
class SearchSession:
    """One search. Belongs to one event loop.

    Args:
        permit: checks robots.txt; None if it is ignored.
        reading: rate limiter of pages, shared by all searches of the process.
        fetching: rate limiter of pictures.
    """

    cache: WebCache
    fetcher: Fetcher
    reader: PageReader
    permit: Permit | None
    reading: RateLimiter
    fetching: RateLimiter
    patience: Backoff
    tally: Tally
    problems: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    def searched(self, found: Sequence[FoundComponent], trouble: Sequence[str] = (), day: str = "") -> Searched:
        """Return the result of the search. ``day``: date of the engine's answer."""
        spent = charge(stage="web", seconds=time.perf_counter() - self.started)
        return Searched(tuple(found), spent, (*self.problems, *trouble), self.tally.requests, day)
