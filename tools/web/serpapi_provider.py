"""Search provider SerpApi: Google for pages and pictures, Google Lens by a picture.

SerpApi sends an ``error`` besides or instead of results, with status 200. "Google hasn't returned any
results" is an empty result; other errors without results are failures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backtrail.state.web_settings import WebSettings
from backtrail.tools.deciders.requests.classify_error import redact, retry_after
from backtrail.tools.web.errors import SearchError, SearchRejected, SearchUnavailable
from backtrail.tools.web.hit import Hit, Hits, answer_hits, page_hit, picture_hit
from backtrail.tools.web.json_object import json_object
from backtrail.tools.web.provider_request import send
from backtrail.tools.web.sanitize_text import one_line

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
        wanted = {**parameters, "output": "json", "api_key": self._key}
        address, seconds = f"{self._base_url}/search", self._settings.search_timeout
        status, headers, body = await send("SerpApi", "GET", address, seconds=seconds, clean=self._clean, params=wanted)
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
