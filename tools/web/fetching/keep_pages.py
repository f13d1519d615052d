"""Read the page of a search result and store its text."""

from __future__ import annotations

import asyncio
import re
from dataclasses import asdict, replace
from urllib.parse import urlsplit

from backtrail.state.component import Component, Document
from backtrail.state.web_settings import WebSettings
from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.web.errors import Unfetched
from backtrail.tools.web.fetching.best_passages import best_passages
from backtrail.tools.web.fetching.page_text import PageText
from backtrail.tools.web.fetching.search_session import SearchSession
from backtrail.tools.web.hit import Hit
from backtrail.tools.web.protocol import FoundComponent
from backtrail.tools.web.retry import with_retries
from backtrail.tools.web.shelf import Shelf
from backtrail.tools.web.tokens import first_tokens


def of_pages(patience: Backoff) -> Backoff:
    """Return the retries for a page or picture: few, as other results are fetched at the same time."""
    return replace(patience, max_attempts=min(2, patience.max_attempts), longest_retry_after=5.0)


async def keep_page(
    hit: Hit, query: str, trip: SearchSession, settings: WebSettings, shelf: Shelf
) -> FoundComponent | None:
    """Store the page, cut to its tokens; None if there is neither page nor snippet.

    The snippet is appended if the stored text does not contain it; the section has site and dates.
    """
    try:
        page = PageText(hit.url, hit.title, hit.snippet, hit.published) if hit.box else await _read(hit.url, trip)
    except Unfetched as error:
        if not hit.snippet:
            trip.problems.append(f"A page was left out. {error}")
            return None
        trip.problems.append(f"Only the provider's snippet of a page is available. {error}")
        page = PageText(hit.url, hit.title, hit.snippet, hit.published)
    text = await asyncio.to_thread(_kept, page.text, query, settings)
    published = hit.published or page.published
    title = hit.title or page.title or urlsplit(page.url).netloc
    document = Document(id="", title=title, url=page.url, summary=hit.snippet)
    component = Component(
        id="",
        document="",
        position=0,
        modality="text",
        text=_with_snippet(text, hit.snippet),
        section=_site_and_dates(hit, published),
    )
    component, document = await asyncio.to_thread(shelf.put, component, document)
    return FoundComponent(
        component,
        document,
        hit.position,
        score=1 / hit.position,
        snippet=hit.snippet,
        published=published,
    )


def _kept(text: str, query: str, settings: WebSettings) -> str:
    if settings.passages == "first":
        return first_tokens(text, settings.page_tokens)
    return best_passages(text, query, settings.page_tokens)


def _with_snippet(text: str, snippet: str) -> str:
    """Append the snippet unless the text contains it: it may be from a part that was cut, or no longer on the page."""
    quoted = [" ".join(part.split()) for part in re.split(r"\.{3}|…", snippet)]
    plain = " ".join(text.split()).casefold()
    if all(part.strip(" .").casefold() in plain for part in quoted):
        return text
    return f"{text}\n{snippet}"


def _site_and_dates(hit: Hit, published: str) -> str:
    site = urlsplit(hit.url).hostname or ""
    days = (("published", published), ("found", hit.searched))
    return ", ".join([site, *(f"{name} {day}" for name, day in days if day)])


async def _read(url: str, trip: SearchSession) -> PageText:
    key = {"reader": trip.reader.name, "url": url}
    cached = await trip.cache.get("pages", key)
    if isinstance(cached, dict):
        try:
            return PageText(**cached)
        except TypeError:
            pass  # older format: read again
    page = await with_retries(
        lambda: trip.reader.read(url), trip.reading, of_pages(trip.patience), one_server=trip.reader.name != "own"
    )
    await trip.cache.put("pages", key, asdict(page))
    return page
