"""Client of the server's own API over loopback, in the requester's name."""

from __future__ import annotations

import asyncio

from langgraph_sdk.client import LangGraphClient
from starlette.requests import Request

from backtrail.server.auth import sent_key
from backtrail.tools.access.own_server import own_client


async def loopback_client(request: Request) -> LangGraphClient:
    """Return a client of this server with the request's key."""
    host, port = request.scope.get("server") or ("127.0.0.1", request.url.port or 80)
    name = f"[{host}]" if ":" in host else host
    return await asyncio.to_thread(own_client, f"http://{name}:{port}", sent_key(dict(request.headers.raw)))
