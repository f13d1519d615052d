"""Client of the server's own API with access to everybody's threads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import cache
from typing import Any

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

PAGE = 100


@cache
def within() -> LangGraphClient:
    """Return the shared in-process client, which needs no key."""
    return get_client(url=None, api_key=None)


async def every(
    search: Callable[..., Awaitable[Sequence[Mapping[str, Any]]]], **wanted: Any
) -> AsyncIterator[Mapping[str, Any]]:
    """Yield all results of a client's search, page by page. Do not change results before the end."""
    offset = 0
    while found := await search(**wanted, limit=PAGE, offset=offset):
        for one in found:
            yield one
        offset += len(found)
