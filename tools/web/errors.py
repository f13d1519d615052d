"""Errors of web search. Each says what was asked of whom, what came back, and what to do.

SearchError
├── SearchUnavailable    transient: no answer in time, 5xx, 429, the quota is spent for now
├── SearchRejected       permanent: a missing or refused key, a search that the provider does not have
└── Unfetched            one page or picture that was lost; a search goes on without it
    └── Refused          ... because of our own rules: a private address, say
        ├── Forbidden    ... because the site's robots.txt forbids it
        ├── TooLarge     ... because it has more bytes than may be
        └── WrongKind    ... because it is of a media type that is not read
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
    """A page or picture that could not be fetched or read.

    Args:
        cause: why, in words that are the same for all addresses ("HTTP 503"), so that the like can be counted.
    """

    def __init__(
        self, message: str, *, again: bool = False, retry_after: float | None = None, cause: str = "no answer"
    ) -> None:
        super().__init__(message, again=again, retry_after=retry_after)
        self.cause = cause


class Refused(Unfetched):
    """A page or picture that our own rules forbid to fetch or keep."""

    def __init__(self, message: str, *, cause: str = "an address that may not be asked") -> None:
        super().__init__(message, cause=cause)


class Forbidden(Refused):
    """A page that the robots.txt of its site forbids to fetch."""

    def __init__(self, message: str) -> None:
        super().__init__(message, cause="robots.txt")


class TooLarge(Refused):
    """A body of more bytes than may be."""

    def __init__(self, message: str) -> None:
        super().__init__(message, cause="too large")


class WrongKind(Refused):
    """A body of a media type that is not read."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message, cause=kind or "no stated type")
