"""Errors of web search. Each names the request, the service, its answer, and what to do.

SearchError
├── SearchUnavailable    transient: no answer in time, 5xx, 429, the quota is spent for now
├── SearchRejected       permanent: a missing or refused key, a search that the provider does not support
└── Unfetched            a page or picture could not be fetched; a search continues without it
    └── Refused          ... because of our own rules, such as a private address
        ├── Forbidden    ... because the site's robots.txt forbids it
        ├── TooLarge     ... because it has too many bytes
        └── WrongKind    ... because it is of a media type that is not read
"""

from __future__ import annotations

from backtrail.tools.errors import BacktrailError


class SearchError(BacktrailError):
    """A search failed.

    Args:
        again: whether the same request may succeed in a moment.
        retry_after: the server's Retry-After in seconds.
    """

    def __init__(self, message: str, *, again: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.again = again
        self.retry_after = retry_after


class SearchUnavailable(SearchError):
    """Transient: the provider did not answer in time, or is over its quota."""


class SearchRejected(SearchError):
    """Permanent: a missing or refused key, or a search that the provider does not support."""


class Unfetched(SearchError):
    """A page or picture could not be fetched or read.

    Args:
        cause: the reason without the address ("HTTP 503"), for counting.
    """

    def __init__(
        self, message: str, *, again: bool = False, retry_after: float | None = None, cause: str = "no answer"
    ) -> None:
        super().__init__(message, again=again, retry_after=retry_after)
        self.cause = cause


class Refused(Unfetched):
    """Our own rules forbid to fetch or keep a page or picture."""

    def __init__(self, message: str, *, cause: str = "an address that may not be asked") -> None:
        super().__init__(message, cause=cause)


class Forbidden(Refused):
    """The site's robots.txt forbids to fetch a page."""

    def __init__(self, message: str) -> None:
        super().__init__(message, cause="robots.txt")


class TooLarge(Refused):
    """A body has too many bytes."""

    def __init__(self, message: str) -> None:
        super().__init__(message, cause="too large")


class WrongKind(Refused):
    """A body is of a media type that is not read."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message, cause=kind or "no stated type")
