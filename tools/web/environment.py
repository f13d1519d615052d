"""Environment variables of the web tools; set by the operator, not by clients of a server.

Keys: SERPAPI_API_KEY, SERPER_API_KEY, JINA_API_KEY. Other addresses of these services: SERPAPI_BASE_URL,
SERPER_BASE_URL, JINA_BASE_URL. BACKTRAIL_SEARCH_RPM (requests per minute, unlimited) and
BACKTRAIL_SEARCH_CONCURRENCY (concurrent requests, 4) apply per provider and process; BACKTRAIL_TRIES as for models.
BACKTRAIL_FETCH_LOOPBACK=yes allows pages of this machine (for tests and trials), and BACKTRAIL_FETCH_ROBOTS=no
ignores robots.txt. BACKTRAIL_UPLOAD_COMMAND or BACKTRAIL_UPLOAD_URL publish the picture of a question, for searches
that need its address.
"""

from __future__ import annotations

import os
from typing import Literal

from backtrail.tools.deciders.environment import tries
from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.rate_limit import Limits
from backtrail.tools.errors import SettingsError
from backtrail.tools.settings.switches import switched_on
from backtrail.tools.web.errors import SearchRejected

Service = Literal["serpapi", "serper", "jina"]

UPLOAD_COMMAND = "BACKTRAIL_UPLOAD_COMMAND"
UPLOAD_URL = "BACKTRAIL_UPLOAD_URL"
_BASES: dict[Service, str] = {
    "serpapi": "https://serpapi.com",
    "serper": "https://google.serper.dev",
    "jina": "https://r.jina.ai",
}


def key_variable(service: Service) -> str:
    """Return the environment variable of a service's key."""
    return f"{service.upper()}_API_KEY"


def required_key(service: Service) -> str:
    """Return the key of a service that requires one.

    Raises:
        SearchRejected: the key is missing.
    """
    key = os.environ.get(key_variable(service), "").strip()
    if not key:
        raise SearchRejected(
            f"Searches by {service} need a key: set {key_variable(service)}, or set web.provider to corpus."
        )
    return key


def optional_key(service: Service) -> str:
    """Return the key of a service that works without one; empty if there is none."""
    return os.environ.get(key_variable(service), "").strip()


def base_url(service: Service) -> str:
    """Return the address of a service, without a slash at the end.

    Raises:
        SettingsError: the variable is not an http address.
    """
    variable = f"{service.upper()}_BASE_URL"
    url = os.environ.get(variable) or _BASES[service]
    if not url.startswith(("https://", "http://")):
        raise SettingsError(f"{variable}={url!r} is not an http address. Example: {_BASES[service]}.")
    return url.rstrip("/")


def check_offered(service: Service) -> None:
    """Refuse a service whose key and address the server's host has not set: clients may not choose it.

    Raises:
        SearchRejected: it is not configured here.
    """
    base = f"{service.upper()}_BASE_URL"
    if not any(os.environ.get(variable, "").strip() for variable in (key_variable(service), base)):
        raise SearchRejected(
            f"{service} is not configured on this server, so clients cannot choose it: the host has set neither "
            f"{key_variable(service)} nor {base}."
        )


def loopback_allowed() -> bool:
    """Whether pages of this machine may be fetched."""
    return switched_on("BACKTRAIL_FETCH_LOOPBACK")


def robots_honoured() -> bool:
    """Whether robots.txt is respected."""
    return switched_on("BACKTRAIL_FETCH_ROBOTS", default=True)


def search_limits() -> Limits:
    """Return the rate limits of search providers."""
    return Limits(_count("BACKTRAIL_SEARCH_RPM"), None, _count("BACKTRAIL_SEARCH_CONCURRENCY") or 4)


def search_patience() -> Backoff:
    """Return the retries of a search."""
    return Backoff(max_attempts=tries())


def _count(variable: str) -> int | None:
    text = os.environ.get(variable)
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise SettingsError(f"{variable}={text!r} is not a whole number of at least 1.")
    return int(text)
