"""What the operator says about the web, by environment variables; clients of a server cannot.

Keys: SERPAPI_API_KEY, SERPER_API_KEY, JINA_API_KEY. Other addresses of the same services: SERPAPI_BASE_URL,
SERPER_BASE_URL, JINA_BASE_URL. BACKTRAIL_SEARCH_RPM and BACKTRAIL_SEARCH_CONCURRENCY (requests a minute,
unlimited, and at once, 4) hold for each provider and process; BACKTRAIL_TRIES as for models.
BACKTRAIL_FETCH_LOOPBACK=yes lets pages of this machine be fetched (tests, trials), and
BACKTRAIL_FETCH_ROBOTS=no reads pages against their robots.txt. BACKTRAIL_UPLOAD_COMMAND or
BACKTRAIL_UPLOAD_URL publish the picture of a question, for searches that need its address.
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
    """The environment variable that holds a service's key."""
    return f"{service.upper()}_API_KEY"


def required_key(service: Service) -> str:
    """The key of a service that cannot be used without.

    Raises:
        SearchRejected: there is none.
    """
    key = os.environ.get(key_variable(service), "").strip()
    if not key:
        raise SearchRejected(
            f"Searching by {service} needs a key: set {key_variable(service)}, or set web.provider to corpus."
        )
    return key


def optional_key(service: Service) -> str:
    """The key of a service that can be used without; empty when there is none."""
    return os.environ.get(key_variable(service), "").strip()


def base_url(service: Service) -> str:
    """Where a service is, without a slash at the end.

    Raises:
        SettingsError: the variable holds no http address.
    """
    variable = f"{service.upper()}_BASE_URL"
    url = os.environ.get(variable) or _BASES[service]
    if not url.startswith(("https://", "http://")):
        raise SettingsError(f"{variable}={url!r} is no address. It has the form {_BASES[service]}.")
    return url.rstrip("/")


def check_offered(service: Service) -> None:
    """Refuse a service that clients of a server may not choose: one whose key and address its host has not set.

    Raises:
        SearchRejected: it is not configured here.
    """
    base = f"{service.upper()}_BASE_URL"
    if not any(os.environ.get(variable, "").strip() for variable in (key_variable(service), base)):
        raise SearchRejected(
            f"{service} is not configured on this server, so clients cannot choose it: its host has set neither "
            f"{key_variable(service)} nor {base}."
        )


def loopback_allowed() -> bool:
    """Whether pages of this machine may be fetched."""
    return switched_on("BACKTRAIL_FETCH_LOOPBACK")


def robots_honoured() -> bool:
    """Whether robots.txt decides what is fetched."""
    return switched_on("BACKTRAIL_FETCH_ROBOTS", default=True)


def search_limits() -> Limits:
    """What the account of a provider allows."""
    return Limits(_count("BACKTRAIL_SEARCH_RPM"), None, _count("BACKTRAIL_SEARCH_CONCURRENCY") or 4)


def search_patience() -> Backoff:
    """How often a provider is asked before a search fails."""
    return Backoff(tries=tries())


def _count(variable: str) -> int | None:
    text = os.environ.get(variable)
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise SettingsError(f"{variable}={text!r} is not a whole number of at least 1.")
    return int(text)
