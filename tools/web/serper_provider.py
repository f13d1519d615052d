"""Google Serper, through LangChain's wrapper: Google for pages and pictures, and Google Lens.

The wrapper's own session has neither limits nor errors; it is given one of ours.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

import aiohttp
from yarl import URL

from backtrail.state.web_settings import WebSettings
from backtrail.tools.deciders.asking.trouble import redact, retry_after
from backtrail.tools.web.errors import SearchError, SearchRejected, SearchUnavailable
from backtrail.tools.web.hit import Hit, Hits, answer_hits, page_hit, picture_hit
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
    sees_pictures = True

    def __init__(self, key: str, base_url: str, settings: WebSettings) -> None:
        self._key = key
        self._base_url = URL(base_url)
        self._settings = settings

    def __repr__(self) -> str:
        return f"Serper({str(self._base_url)!r})"  # without the key

    async def pages(self, query: str) -> Hits:
        """Google's answer box and knowledge panel, then its organic results."""
        answer = await self._answered(query, "search", self._settings.pages)
        found = self._listed(answer, "organic")
        boxes = answer_hits(answer, ("answerBox", "knowledgeGraph"))
        return Hits((*boxes, *(hit for place, one in enumerate(found, start=1) if (hit := page_hit(one, place)))))

    async def pictures(self, query: str) -> Hits:
        """Google's pictures."""
        found = self._listed(await self._answered(query, "images", PICTURES_ASKED_FOR), "images")
        return Hits(tuple(hit for place, one in enumerate(found, start=1) if (hit := _picture(one, place))))

    async def like(self, picture_url: str) -> Hits:
        """Google Lens."""
        found = self._listed(self._checked(await self._lens(picture_url)), "organic")
        return Hits(tuple(hit for place, one in enumerate(found, start=1) if (hit := _picture(one, place))))

    async def _answered(self, query: str, kind: Literal["search", "images"], count: int) -> Mapping[str, Any]:
        return self._checked(await self._answer(query, kind, count))

    def _checked(self, answer: Any) -> Mapping[str, Any]:
        if not isinstance(answer, Mapping):
            raise SearchUnavailable("Serper's answer could not be read: it is not in Serper's form. Try again later.")
        return answer

    def _listed(self, answer: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        found = answer.get(key)
        if isinstance(found, list):
            return [one for one in found if isinstance(one, Mapping)]
        if said := self._clean(str(answer.get("message") or answer.get("error") or "")):
            raise SearchUnavailable(f"Serper answered with an error ({said}). {_WHERE}")
        if "searchParameters" not in answer:
            raise SearchUnavailable("Serper's answer could not be read: it is not in Serper's form. Try again later.")
        return []

    async def _answer(self, query: str, kind: Literal["search", "images"], count: int) -> Any:
        async def ask(session: aiohttp.ClientSession) -> Any:
            wrapper = GoogleSerperAPIWrapper(
                k=count, gl=self._settings.country, hl=self._settings.language, type=kind,
                serper_api_key=self._key, aiosession=session,
            )  # fmt: skip
            return await wrapper.aresults(query)

        return await self._sent(ask)

    async def _lens(self, picture_url: str) -> Any:
        """The wrapper knows no Lens: its other searches in the same form, by the address of a picture."""

        async def ask(session: aiohttp.ClientSession) -> Any:
            asked = {"url": picture_url, "gl": self._settings.country, "hl": self._settings.language}
            headers = {"X-API-KEY": self._key, "Content-Type": "application/json"}
            address = "https://google.serper.dev/lens"
            async with session.post(address, json=asked, headers=headers, raise_for_status=True) as response:
                return await response.json()

        return await self._sent(ask)

    async def _sent(self, ask: Callable[[aiohttp.ClientSession], Awaitable[Any]]) -> Any:
        timeout = aiohttp.ClientTimeout(total=self._settings.search_timeout)
        async with aiohttp.ClientSession(
            timeout=timeout, response_class=_Bounded, middlewares=(self._elsewhere,)
        ) as session:
            try:
                return await ask(session)
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
