"""A server's own API, asked from within over loopback, in the name of whoever asked it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

CLIENTS = 64
"""Holders whose client is kept open (ours)."""

UNREACHED = httpx.TransportError
"""What asking ends in when nothing answers at the address."""

REFUSED = httpx.HTTPStatusError
"""What asking ends in when the server refuses the request."""


@lru_cache(maxsize=CLIENTS)
def own_client(address: str, key: str) -> LangGraphClient:
    """A client that sends this key, or none. Making one reads certificates: it blocks."""
    return get_client(url=address, api_key=None, headers={"authorization": f"Bearer {key}"} if key else None)


def refusal_text(error: httpx.HTTPStatusError) -> str:
    """What the server says in a refusal."""
    try:
        body: Any = error.response.json()
    except ValueError:
        body = None
    said = (body.get("detail") or body.get("message")) if isinstance(body, dict) else None  # ours, or aegra's
    return str(said or f"The server answered {error.response.status_code}.")
