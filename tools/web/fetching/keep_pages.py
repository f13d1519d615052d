"""From a result to a readable page on the shelf."""

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
    """How long a single page or picture is worth waiting for: others come along with it."""
    return replace(patience, tries=min(2, patience.tries), longest_retry_after=5.0)


async def keep_page(
    hit: Hit, query: str, trip: SearchSession, settings: WebSettings, shelf: Shelf
) -> FoundComponent | None:
    """The page, cut to its tokens and kept; None when there is neither page nor snippet.

    Its text ends with the snippet, where the page as it is kept does not say the same; its section tells site and days.
    """
    try:
        page = PageText(hit.url, hit.title, hit.snippet, hit.published) if hit.box else await _read(hit.url, trip)
    except Unfetched as error:
        if not hit.snippet:
            trip.trouble.append(f"A page was left out. {error}")
            return None
        trip.trouble.append(f"Of a page only the provider's snippet is at hand. {error}")
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
        section=_told(hit, published),
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
    """What the engine quotes may stand in a part that was left out, or on the page no longer."""
    said = [" ".join(part.split()) for part in re.split(r"\.{3}|…", snippet)]
    held = " ".join(text.split()).casefold()
    if all(part.strip(" .").casefold() in held for part in said):
        return text
    return f"{text}\n{snippet}"


def _told(hit: Hit, published: str) -> str:
    """Site and days, where a heading would stand: when the page was published, and when it was found."""
    site = urlsplit(hit.url).hostname or ""
    days = (("published", published), ("found", hit.searched))
    return ", ".join([site, *(f"{name} {day}" for name, day in days if day)])


async def _read(url: str, trip: SearchSession) -> PageText:
    key = {"reader": trip.reader.name, "url": url}
    held = await trip.cache.get("pages", key)
    if isinstance(held, dict):
        try:
            return PageText(**held)
        except TypeError:
            pass  # of an older form: read again
    page = await with_retries(
        lambda: trip.reader.read(url), trip.reading, of_pages(trip.patience), one_server=trip.reader.name != "own"
    )
    await trip.cache.put("pages", key, asdict(page))
    return page
