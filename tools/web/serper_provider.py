"""Google Serper, through LangChain's wrapper: Google for pages and pictures.

The wrapper's own session has neither limits nor errors; it is given one of ours.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from typing import Any, Literal

import aiohttp
from yarl import URL

from backtrail.state.web_settings import WebSettings
from backtrail.tools.deciders.asking.trouble import redact, retry_after
from backtrail.tools.web.errors import SearchError, SearchRejected, SearchUnavailable
from backtrail.tools.web.hit import Hit, Hits, page_hit, picture_hit
from backtrail.tools.web.words import one_line

with warnings.catch_warnings():
    # It warns of its own end on import. There is no package of Serper's own to take its place.
    warnings.simplefilter("ignore", DeprecationWarning)
    from langchain_community.utilities.google_serper import GoogleSerperAPIWrapper

MOST_BYTES = 10_000_000
PICTURES_ASKED_FOR = 20
_WHERE = "Check SERPER_API_KEY and its credits, or set web.provider to corpus."


class Serper:
    """Implements ``Provider``."""

    name = "serper"
    sees_pictures = False

    def __init__(self, key: str, base_url: str, settings: WebSettings) -> None:
        self._key = key
        self._base_url = URL(base_url)
        self._settings = settings

    def __repr__(self) -> str:
        return f"Serper({str(self._base_url)!r})"  # without the key

    async def pages(self, query: str) -> Hits:
        """Google's organic results."""
        found = await self._results(query, "search", "organic", self._settings.pages)
        return Hits(tuple(hit for place, one in enumerate(found, start=1) if (hit := page_hit(one, place))))

    async def pictures(self, query: str) -> Hits:
        """Google's pictures."""
        found = await self._results(query, "images", "images", PICTURES_ASKED_FOR)
        return Hits(tuple(hit for place, one in enumerate(found, start=1) if (hit := _picture(one, place))))

    async def like(self, picture_url: str) -> Hits:
        """Raises SearchRejected: the wrapper has no search by a picture."""
        raise SearchRejected("Serper is not searched by a picture. Set web.provider to serpapi for that.")

    async def _results(
        self, query: str, kind: Literal["search", "images"], key: str, count: int
    ) -> list[Mapping[str, Any]]:
        answer = await self._answer(query, kind, count)
        if not isinstance(answer, Mapping):
            raise SearchUnavailable("Serper's answer could not be read: it is not in Serper's form. Try again later.")
        found = answer.get(key)
        if isinstance(found, list):
            return [one for one in found if isinstance(one, Mapping)]
        if said := self._clean(str(answer.get("message") or answer.get("error") or "")):
            raise SearchUnavailable(f"Serper answered with an error ({said}). {_WHERE}")
        if "searchParameters" not in answer:
            raise SearchUnavailable("Serper's answer could not be read: it is not in Serper's form. Try again later.")
        return []

    async def _answer(self, query: str, kind: Literal["search", "images"], count: int) -> Any:
        timeout = aiohttp.ClientTimeout(total=self._settings.search_timeout)
        async with aiohttp.ClientSession(
            timeout=timeout, response_class=_Bounded, middlewares=(self._elsewhere,)
        ) as session:
            wrapper = GoogleSerperAPIWrapper(
                k=count, gl=self._settings.country, hl=self._settings.language, type=kind,
                serper_api_key=self._key, aiosession=session,
            )  # fmt: skip
            try:
                return await wrapper.aresults(query)
            except aiohttp.ClientResponseError as error:
                raise self._failure(error) from None
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                said = self._clean(str(error) or type(error).__name__)
                raise SearchUnavailable(f"Serper did not answer ({said}). Try again later.", again=True) from None
            except (ValueError, RecursionError) as error:
                raise SearchUnavailable(f"Serper's answer is no JSON ({self._clean(str(error))}).") from None

    async def _elsewhere(
        self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        """Send the request to the configured address: the wrapper's is fixed."""
        base = self._base_url
        path = base.path.rstrip("/") + request.url.path
        request.url = request.url.with_path(path, keep_query=True).with_scheme(base.scheme)
        request.url = request.url.with_host(base.host or "").with_port(base.explicit_port)
        request.headers["Host"] = request.url.host_port_subcomponent or ""
        return await handler(request)

    def _failure(self, error: aiohttp.ClientResponseError) -> SearchError:
        shown = f"HTTP {error.status}: {self._clean(error.message)}"
        if error.status == 429 or error.status >= 500:
            wait = retry_after({name.lower(): value for name, value in (error.headers or {}).items()})
            message = f"Serper was unavailable at every try ({shown}). Try again later."
            return SearchUnavailable(message, again=True, retry_after=wait)
        return SearchRejected(f"Serper rejected the search ({shown}). {_WHERE}")

    def _clean(self, text: str) -> str:
        return one_line(redact(text, (self._key,)), 300)


class _Bounded(aiohttp.ClientResponse):
    """A response whose JSON is read up to a limit, whatever type it is said to be."""

    async def json(self, **_: Any) -> Any:
        """The value. Raises ValueError when it is no JSON or too long."""
        body = bytearray()
        async for chunk in self.content.iter_chunked(65_536):
            body += chunk
            if len(body) > MOST_BYTES:
                raise ValueError(f"more than {MOST_BYTES} bytes")
        return json.loads(body)


def _picture(result: Mapping[str, Any], place: int) -> Hit | None:
    return picture_hit(result, place, (result.get("imageUrl"), result.get("thumbnailUrl")))
