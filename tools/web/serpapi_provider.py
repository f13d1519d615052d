"""Search provider SerpApi: Google for pages and pictures, Google Lens by a picture.

SerpApi sends an ``error`` besides or instead of results, with status 200. "Google hasn't returned any
results" is an empty result; other errors without results are failures.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

import requests
import urllib3
from serpapi import SerpApiClient

from backtrail.state.web_settings import WebSettings
from backtrail.tools.deciders.requests.classify_error import redact, retry_after
from backtrail.tools.web.errors import SearchError, SearchRejected, SearchUnavailable
from backtrail.tools.web.hit import Hit, Hits, answer_hits, page_hit, picture_hit
from backtrail.tools.web.json_object import json_object
from backtrail.tools.web.sanitize_text import one_line

MOST_BYTES = 10_000_000
_NOTHING = "hasn't returned any results"
_SPENT = ("run out of searches", "exceeded", "plan")
_WHERE = "Check SERPAPI_API_KEY, or set web.provider to corpus."


class SerpApi:
    """Implements ``Provider``."""

    name = "serpapi"
    sees_pictures = True

    def __init__(self, key: str, base_url: str, settings: WebSettings) -> None:
        self._key = key
        self._base_url = base_url
        self._settings = settings

    def __repr__(self) -> str:
        return f"SerpApi({self._base_url!r})"  # without the key

    async def pages(self, query: str) -> Hits:
        """Google's answer box and knowledge panel, then its organic results."""
        parameters = {"engine": "google", "q": query, "num": str(self._settings.pages), **self._place("gl")}
        answer, note = await self._answer(parameters, "organic_results")
        boxes = answer_hits(answer, ("answer_box", "knowledge_graph"))
        found = _listed(answer, "organic_results")
        return Hits((*boxes, *_hits(page_hit(result, place) for place, result in enumerate(found, start=1))), note)

    async def pictures(self, query: str) -> Hits:
        """Google's pictures."""
        parameters = {"engine": "google_images", "q": query, **self._place("gl")}
        found, note = await self._results(parameters, "images_results")
        return Hits(_hits(_picture(result, place) for place, result in enumerate(found, start=1)), note)

    async def like(self, picture_url: str) -> Hits:
        """Google Lens."""
        parameters = {"engine": "google_lens", "url": picture_url, **self._place("country")}
        found, note = await self._results(parameters, "visual_matches")
        return Hits(_hits(_picture(result, place) for place, result in enumerate(found, start=1)), note)

    def _place(self, country: str) -> dict[str, str]:
        return {"hl": self._settings.language, country: self._settings.country}

    async def _results(self, parameters: dict[str, str], key: str) -> tuple[list[Mapping[str, Any]], str]:
        """Return the results under a key, and the error besides them."""
        answer, note = await self._answer(parameters, key)
        return _listed(answer, key), note

    async def _answer(self, parameters: dict[str, str], key: str) -> tuple[Mapping[str, Any], str]:
        """Return the whole answer, and the error besides its results; {} if there are no results."""
        status, headers, body = await asyncio.to_thread(self._send, parameters)
        answer = json_object(body)
        note = self._clean(str(answer.get("error", "")))
        if status != 200:
            raise self._failure(status, headers, note)
        if answer.get(key):
            return answer, note
        if note and _NOTHING not in note.casefold():
            raise self._failure(200, headers, note)
        if not note and not isinstance(answer.get("search_metadata"), Mapping):
            raise SearchUnavailable("SerpApi's answer could not be read: it is not in SerpApi's form. Try again later.")
        return (answer, "") if not note else ({}, "")

    def _send(self, wanted: dict[str, str]) -> tuple[int, Mapping[str, str], bytes]:
        """Send one request built by SerpApi's client, within our limits: its own call has no size limit or time-out."""
        seconds = self._settings.search_timeout
        client = SerpApiClient({**wanted, "output": "json", "api_key": self._key})
        url, parameters = client.construct_url("/search")
        url = url.replace(client.BACKEND, self._base_url, 1)
        until = time.monotonic() + seconds
        body = bytearray()
        try:
            with requests.get(url, parameters, timeout=seconds, stream=True, allow_redirects=False) as response:
                # read1 returns what has arrived; iter_content would wait for a whole chunk, beyond the time-out
                while chunk := response.raw.read1(65_536, decode_content=True):
                    body += chunk
                    if len(body) > MOST_BYTES:
                        raise SearchUnavailable(f"SerpApi's answer has more than {MOST_BYTES} bytes; it was not read.")
                    if time.monotonic() > until:
                        raise requests.Timeout(f"no whole answer within {seconds:g} seconds")
                # headers of requests ignore case, a dict does not
                lowered = {name.lower(): value for name, value in response.headers.items()}
                return response.status_code, lowered, bytes(body)
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            detail = self._clean(str(error))
            raise SearchUnavailable(f"SerpApi did not answer ({detail}). Try again later.", again=True) from None

    def _failure(self, status: int, headers: Mapping[str, str], message: str) -> SearchError:
        shown = f"HTTP {status}: {message}" if status != 200 else message
        if any(word in message.casefold() for word in _SPENT):
            return SearchUnavailable(f"SerpApi has no searches left for this key ({shown}). {_WHERE}")
        if status == 429 or status >= 500:
            wait = retry_after(headers)
            unavailable = f"SerpApi was unavailable at every try ({shown}). Try again later."
            return SearchUnavailable(unavailable, again=True, retry_after=wait)
        return SearchRejected(f"SerpApi rejected the search ({shown}). {_WHERE}")

    def _clean(self, text: str) -> str:
        return one_line(redact(text, (self._key,)), 300)


def _listed(answer: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = answer.get(key)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _picture(result: Mapping[str, Any], place: int) -> Hit | None:
    # The original first; Google's thumbnail is available even if the site refuses the original.
    return picture_hit(result, place, (result.get("original"), result.get("image"), result.get("thumbnail")))


def _hits(hits: Any) -> tuple[Hit, ...]:
    kept: Sequence[Hit] = [hit for hit in hits if hit is not None]
    return tuple(kept)
