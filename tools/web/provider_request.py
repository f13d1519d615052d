"""One request to a search provider, bounded in seconds and bytes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import httpx

from backtrail.tools.web.errors import SearchUnavailable
from backtrail.tools.web.fetching.fetch import tls

MOST_BYTES = 10_000_000


class Reply(NamedTuple):
    """What a provider answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def _without_query(record: logging.LogRecord) -> bool:
    """Take queries out of the addresses that httpx logs: SerpApi's key is in them."""
    given = record.args if isinstance(record.args, tuple) else ()
    record.args = tuple(one.copy_with(query=None) if isinstance(one, httpx.URL) else one for one in given)
    return True


logging.getLogger("httpx").addFilter(_without_query)


async def send(
    provider: str, method: str, url: str, *, seconds: float, clean: Callable[[str], str], **request: Any
) -> Reply:
    """Send one request and return the answer, whatever its status.

    Args:
        provider: name for messages.
        seconds: time for the whole answer.
        clean: takes the key out of a message.
        request: ``params``, ``json`` and ``headers`` of httpx.

    Raises:
        SearchUnavailable: no answer in time, or one of more than ``MOST_BYTES``.
    """
    try:
        async with asyncio.timeout(seconds):
            return await _read(provider, method, url, seconds, request)
    except TimeoutError:
        message = f"{provider} did not answer within {seconds:g} seconds. Try again later."
        raise SearchUnavailable(message, again=True) from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        detail = clean(str(error) or type(error).__name__)
        raise SearchUnavailable(f"{provider} did not answer ({detail}). Try again later.", again=True) from None


async def _read(provider: str, method: str, url: str, seconds: float, request: Mapping[str, Any]) -> Reply:
    """Read an answer. Redirects are not followed: the key would be sent elsewhere."""
    context = await asyncio.to_thread(tls)
    async with (
        httpx.AsyncClient(verify=context, timeout=seconds) as client,
        client.stream(method, url, **request) as response,
    ):
        body = bytearray()
        async for chunk in response.aiter_bytes(65_536):
            body += chunk
            if len(body) > MOST_BYTES:
                raise SearchUnavailable(f"{provider}'s answer has more than {MOST_BYTES} bytes; it was not read.")
        return Reply(response.status_code, response.headers, bytes(body))
