"""Page reader by the service Jina Reader."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import httpx

from backtrail.tools.deciders.requests.classify_error import redact, retry_after
from backtrail.tools.web.errors import Refused, Unfetched
from backtrail.tools.web.fetching.fetch import Fetcher, Tally, tls
from backtrail.tools.web.fetching.page_text import LONGEST, PageText
from backtrail.tools.web.json_object import json_object
from backtrail.tools.web.sanitize_text import one_line, readable

_AGAIN = (408, 425, 429)


class JinaReader:
    """Reads pages through the service. Implements ``PageReader``.

    Addresses are checked as for our own fetches, so that no name of a private network is sent to the service.
    """

    name = "jina"

    def __init__(
        self, base_url: str, key: str, fetcher: Fetcher, tally: Tally, *, timeout: float, most_bytes: int
    ) -> None:
        self._base_url = base_url
        self._key = key
        self._fetcher = fetcher
        self._tally = tally
        self._timeout = timeout
        self._most_bytes = most_bytes

    async def read(self, url: str) -> PageText:
        """Return the page's text as Markdown without pictures."""
        page = await self._fetcher.check(url)
        try:
            async with asyncio.timeout(self._timeout):
                status, headers, body = await self._send(str(page))
        except TimeoutError:
            raise Unfetched(f"The Jina reader did not answer within {self._timeout:g} seconds.", again=True) from None
        except httpx.HTTPError as error:
            raise Unfetched(f"The Jina reader could not be reached ({self._clean(str(error))}).", again=True) from None
        answer = json_object(body)
        if status != 200:
            again = status in _AGAIN or status >= 500
            detail = self._clean(str(answer.get("message", "")))
            wait = retry_after(headers) if again else None
            message = f"The Jina reader did not read {page} (HTTP {status}: {detail})."
            raise Unfetched(message, again=again, retry_after=wait)
        return self._page(str(page), answer.get("data", answer))

    async def _send(self, url: str) -> tuple[int, httpx.Headers, bytes]:
        headers = {"Accept": "application/json", "X-Retain-Images": "none"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        context = await asyncio.to_thread(tls)
        async with httpx.AsyncClient(verify=context, follow_redirects=False, timeout=self._timeout) as client:
            self._tally.requests += 1
            async with client.stream("POST", f"{self._base_url}/", data={"url": url}, headers=headers) as response:
                body = bytearray()
                async for chunk in response.aiter_bytes(65_536):
                    body += chunk
                    if len(body) > self._most_bytes:
                        raise Refused(f"The Jina reader's text of {url} has more than {self._most_bytes} bytes.")
                return response.status_code, response.headers, bytes(body)

    def _page(self, url: str, found: object) -> PageText:
        content = found.get("content") if isinstance(found, Mapping) else None
        if not isinstance(found, Mapping) or not isinstance(content, str) or not content.strip():
            raise Unfetched(f"The Jina reader gave no text for {url} this time.")
        title, published = (_text(found.get(key)) for key in ("title", "publishedTime"))
        return PageText(url, one_line(title, 300), readable(content, LONGEST), one_line(published, 40))

    def _clean(self, text: str) -> str:
        return one_line(redact(text, (self._key,)), 300)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
