"""Download, clean and deduplicate the pictures of search results."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlsplit

from backtrail.state.component import Component, Document, Picture
from backtrail.state.web_settings import WebSettings
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.web.errors import Unfetched
from backtrail.tools.web.fetching.clean_picture import clean_picture
from backtrail.tools.web.fetching.keep_pages import of_pages
from backtrail.tools.web.fetching.perceptual_hash import look_alike
from backtrail.tools.web.fetching.search_session import SearchSession
from backtrail.tools.web.hit import Hit
from backtrail.tools.web.protocol import FoundComponent
from backtrail.tools.web.retry import with_retries
from backtrail.tools.web.shelf import Shelf

MOST_TRIED = 24
"""Results tried; later ones are rarely relevant."""
PICTURE_KINDS = (
    "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/bmp", "image/tiff", "image/avif",
)  # fmt: skip


@dataclass(frozen=True)
class _Kept:
    blob: str
    mark: int


async def keep_pictures(
    hits: Sequence[Hit], seen: list[int], trip: SearchSession, settings: WebSettings, shelf: Shelf, blobs: BlobStore
) -> tuple[FoundComponent, ...]:
    """Store the first ``max_images`` usable pictures, in the provider's order.

    Args:
        seen: perceptual hashes of pictures whose copies are left out; not changed.
    """
    marks, kept, copies = list(seen), list[tuple[Hit, _Kept]](), 0
    left = iter(hits[:MOST_TRIED])
    while len(kept) < settings.max_images and (wave := list(islice(left, settings.max_images))):
        pictures = await asyncio.gather(*(_download(hit, trip, settings, blobs) for hit in wave))
        for hit, picture in zip(wave, pictures, strict=True):
            if picture is None or len(kept) == settings.max_images:
                continue
            if any(look_alike(picture.mark, mark) for mark in marks):
                copies += 1
                continue
            marks.append(picture.mark)
            kept.append((hit, picture))
    if copies:
        trip.problems.append(f"{copies} near-duplicates of pictures were left out.")
    if hits and len(kept) < settings.min_images:
        trip.problems.append(f"Only {len(kept)} of {len(hits)} pictures could be used.")
    return tuple(await asyncio.gather(*(_shelved(hit, picture, shelf) for hit, picture in kept)))


async def _download(hit: Hit, trip: SearchSession, settings: WebSettings, blobs: BlobStore) -> _Kept | None:
    """Download the first usable file of a result."""
    lost: Unfetched | None = None
    for url in hit.pictures:
        try:
            return await _picture(url, trip, settings, blobs)
        except Unfetched as error:
            lost = lost or error
    trip.problems.append(f"A picture was left out. {lost}")
    return None


async def _picture(url: str, trip: SearchSession, settings: WebSettings, blobs: BlobStore) -> _Kept:
    key = {"url": url}
    cached = await trip.cache.get("pictures", key)
    if isinstance(cached, dict) and await asyncio.to_thread(_is_stored, blobs, cached):
        return _Kept(cached["blob"], int(cached["mark"], 16))

    async def attempt() -> bytes:
        fetched = await trip.fetcher.get(
            url, kinds=PICTURE_KINDS, most_bytes=settings.picture_bytes, permit=trip.permit
        )
        return fetched.body

    content = await with_retries(attempt, trip.fetching, of_pages(trip.patience), one_server=False)
    clean = await asyncio.to_thread(clean_picture, content, url)
    await asyncio.to_thread(blobs.put, clean.sha256, clean.content)
    await trip.cache.put("pictures", key, {"blob": clean.sha256, "mark": f"{clean.mark:x}"})
    return _Kept(clean.sha256, clean.mark)


def _is_stored(blobs: BlobStore, cached: dict[str, object]) -> bool:
    try:
        return isinstance(cached.get("mark"), str) and blobs.path(str(cached.get("blob"))).exists()
    except KeyError:
        return False


async def _shelved(hit: Hit, picture: _Kept, shelf: Shelf) -> FoundComponent:
    title = hit.title or urlsplit(hit.url).netloc
    document = Document(id="", title=title, url=hit.url, summary=hit.snippet)
    shown = Picture(blob=picture.blob, title=title, caption=hit.snippet)
    component = Component(id="", document="", position=0, modality="image", image=shown)
    component, document = await asyncio.to_thread(shelf.put, component, document)
    return FoundComponent(
        component, document, hit.position, score=1 / hit.position, snippet=hit.snippet, published=hit.published
    )
