"""Download pictures of dataset releases by their URLs, with the guards of web search.

Files are stored unchanged as blobs; the web cache stores the blob of each URL, so that a repeated or interrupted
download fetches only the missing ones.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

from backtrail.state.web_settings import WebSettings
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.home import cache_folder, home
from backtrail.tools.web.cache import WebCache
from backtrail.tools.web.errors import Unfetched
from backtrail.tools.web.fetching.keep_pages import of_pages
from backtrail.tools.web.fetching.keep_pictures import PICTURE_KINDS
from backtrail.tools.web.fetching.search_session import SearchSession
from backtrail.tools.web.open_session import open_search_session
from backtrail.tools.web.retry import with_retries

PATIENT = WebSettings(fetch_timeout=60.0, picture_bytes=20_000_000, cache_hours=8760.0)
"""Pictures of a release may be large, and change less often than search results."""


async def download_pictures(urls: Sequence[str], settings: WebSettings = PATIENT) -> dict[str, Path | Unfetched]:
    """Return the file of each URL, or why there is none. Files are not decoded.

    Raises:
        SettingsError: an environment variable is invalid.
    """
    cache, blobs = WebCache(cache_folder(), settings.cache_hours), BlobStore(home())
    trip = open_search_session(settings, cache)()

    async def one(url: str) -> Path | Unfetched:
        try:
            return await _cached_or_fetched(url, trip, settings, blobs)
        except Unfetched as error:
            return error

    wanted = list(dict.fromkeys(urls))
    return dict(zip(wanted, await asyncio.gather(*map(one, wanted)), strict=True))


async def _cached_or_fetched(url: str, trip: SearchSession, settings: WebSettings, blobs: BlobStore) -> Path:
    key = {"url": url, "whole": True}
    blob = await trip.cache.get("pictures", key)
    if isinstance(blob, str) and (path := await asyncio.to_thread(_stored, blobs, blob)):
        return path

    async def attempt() -> bytes:
        fetched = await trip.fetcher.get(
            url, kinds=PICTURE_KINDS, most_bytes=settings.picture_bytes, permit=trip.permit
        )
        return fetched.body

    content = await with_retries(attempt, trip.fetching, of_pages(trip.patience), one_server=False)
    sha256 = hashlib.sha256(content).hexdigest()
    await asyncio.to_thread(blobs.put, sha256, content)
    await trip.cache.put("pictures", key, sha256)
    return blobs.path(sha256)


def _stored(blobs: BlobStore, sha256: str) -> Path | None:
    try:
        path = blobs.path(sha256)
    except KeyError:
        return None
    return path if path.is_file() else None
