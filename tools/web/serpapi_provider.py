"""SerpApi, through its own client: Google for pages and pictures, Google Lens by a picture.

SerpApi puts an ``error`` beside its results, or in place of them, in answers with status 200. "Google
hasn't returned any results" is an empty result; everything else without results is a failure.
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
        asked = {"engine": "google", "q": query, "num": str(self._settings.pages), **self._place("gl")}
        answer, note = await self._answer(asked, "organic_results")
        boxes = answer_hits(answer, ("answer_box", "knowledge_graph"))
        found = _listed(answer, "organic_results")
        return Hits((*boxes, *_hits(page_hit(result, place) for place, result in enumerate(found, start=1))), note)

    async def pictures(self, query: str) -> Hits:
        """Google's pictures."""
        asked = {"engine": "google_images", "q": query, **self._place("gl")}
        found, note = await self._results(asked, "images_results")
        return Hits(_hits(_picture(result, place) for place, result in enumerate(found, start=1)), note)

    async def like(self, picture_url: str) -> Hits:
        """Google Lens."""
        asked = {"engine": "google_lens", "url": picture_url, **self._place("country")}
        found, note = await self._results(asked, "visual_matches")
        return Hits(_hits(_picture(result, place) for place, result in enumerate(found, start=1)), note)

    def _place(self, country: str) -> dict[str, str]:
        return {"hl": self._settings.language, country: self._settings.country}

    async def _results(self, asked: dict[str, str], key: str) -> tuple[list[Mapping[str, Any]], str]:
        """The results under a key, and what was said beside them."""
        answer, said = await self._answer(asked, key)
        return _listed(answer, key), said

    async def _answer(self, asked: dict[str, str], key: str) -> tuple[Mapping[str, Any], str]:
        """The whole answer, and what was said beside its results; {} where it says that there are none."""
        status, headers, body = await asyncio.to_thread(self._send, asked)
        answer = json_object(body)
        said = self._clean(str(answer.get("error", "")))
        if status != 200:
            raise self._failure(status, headers, said)
        if answer.get(key):
            return answer, said
        if said and _NOTHING not in said.casefold():
            raise self._failure(200, headers, said)
        if not said and not isinstance(answer.get("search_metadata"), Mapping):
            raise SearchUnavailable("SerpApi's answer could not be read: it is not in SerpApi's form. Try again later.")
        return (answer, "") if not said else ({}, "")

    def _send(self, asked: dict[str, str]) -> tuple[int, Mapping[str, str], bytes]:
        """One request by SerpApi's client, within our limits: its own call has neither limit nor time-out."""
        seconds = self._settings.search_timeout
        client = SerpApiClient({**asked, "output": "json", "api_key": self._key})
        url, parameters = client.construct_url("/search")
        url = url.replace(client.BACKEND, self._base_url, 1)
        until = time.monotonic() + seconds
        body = bytearray()
        try:
            with requests.get(url, parameters, timeout=seconds, stream=True, allow_redirects=False) as response:
                # read1 gives what has come; iter_content would wait for a whole chunk, beyond the time
                while chunk := response.raw.read1(65_536, decode_content=True):
                    body += chunk
                    if len(body) > MOST_BYTES:
                        raise SearchUnavailable(f"SerpApi's answer has more than {MOST_BYTES} bytes; it was not read.")
                    if time.monotonic() > until:
                        raise requests.Timeout(f"no whole answer within {seconds:g} seconds")
                # requests knows no difference of case in names of headers; what reads them here does
                held = {name.lower(): value for name, value in response.headers.items()}
                return response.status_code, held, bytes(body)
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            said = self._clean(str(error))
            raise SearchUnavailable(f"SerpApi did not answer ({said}). Try again later.", again=True) from None

    def _failure(self, status: int, headers: Mapping[str, str], said: str) -> SearchError:
        shown = f"HTTP {status}: {said}" if status != 200 else said
        if any(word in said.casefold() for word in _SPENT):
            return SearchUnavailable(f"SerpApi has no searches left for this key ({shown}). {_WHERE}")
        if status == 429 or status >= 500:
            wait = retry_after(headers)
            message = f"SerpApi was unavailable at every try ({shown}). Try again later."
            return SearchUnavailable(message, again=True, retry_after=wait)
        return SearchRejected(f"SerpApi rejected the search ({shown}). {_WHERE}")

    def _clean(self, text: str) -> str:
        return one_line(redact(text, (self._key,)), 300)


def _listed(answer: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = answer.get(key)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _picture(result: Mapping[str, Any], place: int) -> Hit | None:
    # The whole file first; Google's small copy is there even when the site does not give it out.
    return picture_hit(result, place, (result.get("original"), result.get("image"), result.get("thumbnail")))


def _hits(hits: Any) -> tuple[Hit, ...]:
    kept: Sequence[Hit] = [hit for hit in hits if hit is not None]
    return tuple(kept)
