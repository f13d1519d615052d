"""Clients of the server's own API over loopback, with the key of the calling client."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

CLIENTS = 64
"""Clients that are kept open, one for each holder (ours)."""

UNREACHED = httpx.TransportError
"""Error when nothing answers at the address."""

REFUSED = httpx.HTTPStatusError
"""Error when the server refuses the request."""


@lru_cache(maxsize=CLIENTS)
def own_client(address: str, key: str) -> LangGraphClient:
    """A client that sends this key, or none. Making one reads certificates: it blocks."""
    return get_client(url=address, api_key=None, headers={"authorization": f"Bearer {key}"} if key else None)


def refusal_text(error: httpx.HTTPStatusError) -> str:
    """The message of a refusal."""
    try:
        body: Any = error.response.json()
    except ValueError:
        body = None
    message = (body.get("detail") or body.get("message")) if isinstance(body, dict) else None  # ours, or aegra's
    return str(message or f"The server answered {error.response.status_code}.")
