"""Search provider Serper: Google for pages and pictures, Google Lens by a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from backtrail.state.web_settings import WebSettings
from backtrail.tools.deciders.requests.classify_error import redact, retry_after
from backtrail.tools.untrusted_values import read_json
from backtrail.tools.web.errors import SearchError, SearchRejected, SearchUnavailable
from backtrail.tools.web.hit import Hit, Hits, answer_hits, page_hit, picture_hit
from backtrail.tools.web.json_object import json_object
from backtrail.tools.web.provider_request import send
from backtrail.tools.web.sanitize_text import one_line

PICTURES_ASKED_FOR = 20
_WHERE = "Check SERPER_API_KEY and its credits, or set web.provider to corpus."


class Serper:
    """Implements ``Provider``."""

    name = "serper"
    sees_pictures = True

    def __init__(self, key: str, base_url: str, settings: WebSettings) -> None:
        self._key = key
        self._base_url = base_url
        self._settings = settings

    def __repr__(self) -> str:
        return f"Serper({self._base_url!r})"  # without the key

    async def pages(self, query: str) -> Hits:
        """Google's answer box and knowledge panel, then its organic results."""
        answer = await self._search("search", {"q": query, "num": self._settings.pages})
        found = self._listed(answer, "organic")
        boxes = answer_hits(answer, ("answerBox", "knowledgeGraph"))
        return Hits((*boxes, *(hit for place, one in enumerate(found, start=1) if (hit := page_hit(one, place)))))

    async def pictures(self, query: str) -> Hits:
        """Google's pictures."""
        return self._picture_hits(await self._search("images", {"q": query, "num": PICTURES_ASKED_FOR}), "images")

    async def like(self, picture_url: str) -> Hits:
        """Google Lens."""
        return self._picture_hits(await self._search("lens", {"url": picture_url}), "organic")

    async def _search(self, kind: Literal["search", "images", "lens"], asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send one request and return the answer.

        Raises:
            SearchUnavailable: no answer in time, or not in Serper's form.
            SearchRejected: the key, its credits or the request is refused.
        """
        where = {"gl": self._settings.country, "hl": self._settings.language}
        address, seconds = f"{self._base_url}/{kind}", self._settings.search_timeout
        headers, body = {"X-API-KEY": self._key}, {**asked, **where}
        status, headers, answer = await send(
            "Serper", "POST", address, seconds=seconds, clean=self._clean, json=body, headers=headers
        )
        if status != 200:
            raise self._failure(status, headers, self._clean(str(json_object(answer).get("message", ""))))
        return self._parsed(answer)

    def _parsed(self, body: bytes) -> Mapping[str, Any]:
        try:
            answer = read_json(body)
        except ValueError as error:
            raise SearchUnavailable(f"Serper's answer is not JSON ({self._clean(str(error))}).") from None
        if not isinstance(answer, Mapping):
            raise SearchUnavailable("Serper's answer could not be read: it is not in Serper's form. Try again later.")
        return answer

    def _listed(self, answer: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        found = answer.get(key)
        if isinstance(found, list):
            return [one for one in found if isinstance(one, Mapping)]
        if message := self._clean(str(answer.get("message") or answer.get("error") or "")):
            raise SearchUnavailable(f"Serper answered with an error ({message}). {_WHERE}")
        if "searchParameters" not in answer:
            raise SearchUnavailable("Serper's answer could not be read: it is not in Serper's form. Try again later.")
        return []

    def _picture_hits(self, answer: Mapping[str, Any], key: str) -> Hits:
        found = enumerate(self._listed(answer, key), start=1)
        return Hits(tuple(hit for place, one in found if (hit := _picture(one, place))))

    def _failure(self, status: int, headers: Mapping[str, str], detail: str) -> SearchError:
        shown = f"HTTP {status}: {detail}" if detail else f"HTTP {status}"
        if status == 429 or status >= 500:
            message = f"Serper was unavailable at every try ({shown}). Try again later."
            return SearchUnavailable(message, again=True, retry_after=retry_after(headers))
        return SearchRejected(f"Serper rejected the search ({shown}). {_WHERE}")

    def _clean(self, text: str) -> str:
        return one_line(redact(text, (self._key,)), 300)


def _picture(result: Mapping[str, Any], place: int) -> Hit | None:
    return picture_hit(result, place, (result.get("imageUrl"), result.get("thumbnailUrl")))
