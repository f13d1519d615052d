"""Open a search session from settings and environment."""

from __future__ import annotations

from collections.abc import Callable

from backtrail.state.web_settings import WebSettings
from backtrail.tools.access.serving import serving
from backtrail.tools.deciders.requests.rate_limit import Limits, limiter_for
from backtrail.tools.web import environment
from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.fetching.fetch import Fetcher, Permit, Tally
from backtrail.tools.web.fetching.jina_reader import JinaReader
from backtrail.tools.web.fetching.page_reader import OwnReader, PageReader
from backtrail.tools.web.fetching.robots import Robots
from backtrail.tools.web.fetching.search_session import SearchSession

FETCHED_AT_ONCE = 8
"""Concurrent fetches of pages and pictures, by all searches of a process."""


def open_search_session(settings: WebSettings, cache: WebCache) -> Callable[[], SearchSession]:
    """Return a function that opens a session; the environment is read once, here.

    Raises:
        SettingsError: an environment variable is invalid.
        SearchRejected: a client of the server chose a reading service that its host has not configured.
    """
    if settings.reader == "jina" and serving():
        environment.check_offered("jina")
    loopback, honoured = environment.loopback_allowed(), environment.robots_honoured()
    patience = environment.search_patience()
    at_jina = environment.base_url("jina"), environment.optional_key("jina")
    fetching = limiter_for("web pages", Limits(concurrency=FETCHED_AT_ONCE))
    reading = limiter_for("jina", environment.search_limits()) if settings.reader == "jina" else fetching

    def make() -> SearchSession:
        tally = Tally()
        fetcher = Fetcher(loopback=loopback, timeout=settings.fetch_timeout, tally=tally)
        permit: Permit | None = Robots(fetcher, cache).permit if honoured else None
        reader: PageReader = OwnReader(fetcher, permit, settings.page_bytes)
        if settings.reader == "jina":
            reader = JinaReader(
                *at_jina, fetcher, tally, timeout=settings.fetch_timeout, most_bytes=settings.page_bytes
            )
        return SearchSession(cache, fetcher, reader, permit, reading, fetching, patience, tally)

    return make
