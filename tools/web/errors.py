"""Errors of web search. Each says what was asked of whom, what came back, and what to do.

SearchError
├── SearchUnavailable    transient: no answer in time, 5xx, 429, the quota is spent for now
├── SearchRejected       permanent: a missing or refused key, a search that the provider does not have
└── Unfetched            one page or picture that was lost; a search goes on without it
    └── Refused          ... because of our own rules: a private address, robots, size, kind
"""

from __future__ import annotations

from backtrail.tools.errors import BacktrailError


class SearchError(BacktrailError):
    """A search that could not be carried out.

    Args:
        again: whether the same request may succeed in a moment.
        retry_after: seconds that the server asked to wait.
    """

    def __init__(self, message: str, *, again: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.again = again
        self.retry_after = retry_after


class SearchUnavailable(SearchError):
    """Transient: the provider did not answer in time, or is over its quota."""


class SearchRejected(SearchError):
    """Permanent: a missing or refused key, or something that the provider cannot do."""


class Unfetched(SearchError):
    """A page or picture that could not be fetched or read."""


class Refused(Unfetched):
    """A page or picture that our own rules forbid to fetch or keep."""
