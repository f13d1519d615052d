"""Open the search provider of the settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backtrail.state.extensions import load_extension
from backtrail.state.web_settings import WebSettings
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.requests.rate_limit import limiter_for
from backtrail.tools.home import cache_folder, home
from backtrail.tools.web import environment
from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.corpus_searches import CorpusSearches
from backtrail.tools.web.hit import Provider
from backtrail.tools.web.no_searches import NoSearches
from backtrail.tools.web.protocol import Searches
from backtrail.tools.web.shelf import Shelf


def open_searches(settings: WebSettings, open_corpus: Callable[[], CorpusReader]) -> Searches:
    """Open searches by the provider of the settings. Blocks: not for event loops.

    Raises:
        SearchRejected: the provider's key is missing.
        SettingsError: an environment variable is invalid.
    """
    if settings.provider == "none":
        return NoSearches()
    if settings.provider == "corpus":
        return CorpusSearches(open_corpus, BlobStore(home()), settings)
    return _open_web(_provider(settings), settings)


def _provider(settings: WebSettings) -> Provider:
    if settings.provider == "serpapi":
        from backtrail.tools.web.serpapi_provider import SerpApi

        return SerpApi(environment.required_key("serpapi"), environment.base_url("serpapi"), settings)
    if settings.provider != "serper":
        opened: Any = load_extension("search_providers", settings.provider, object)
        return opened(settings)
    from backtrail.tools.web.serper_provider import Serper  # half a second, and a warning: only when used

    return Serper(environment.required_key("serper"), environment.base_url("serper"), settings)


def _open_web(provider: Provider, settings: WebSettings) -> Searches:
    from backtrail.tools.web.open_session import open_search_session
    from backtrail.tools.web.web_searches import WebSearches

    cache = WebCache(cache_folder(), settings.cache_hours)
    return WebSearches(
        provider,
        settings,
        cache=cache,
        shelf=Shelf(home()),
        pictures=BlobStore(home()),
        limiter=limiter_for(provider.name, environment.search_limits()),
        set_out=open_search_session(settings, cache),
    )
