"""Rate limit: requests per minute of each key over all processes of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from math import ceil

from starlette.responses import JSONResponse, Response

from backtrail.server.auth import is_open, sent_key
from backtrail.server.policy.admission import TOO_MANY
from backtrail.tools.access.credentials import allowed_to, credentials
from backtrail.tools.access.records.request_rates import wait_for_request
from backtrail.tools.access.tokens import TokenRefused, looks_like_token, subject_of, takes_tokens
from backtrail.tools.home_errors import home_error


async def too_fast(headers: Mapping[bytes, bytes]) -> Response | None:
    """Return a refusal if the sender of these headers exceeds the rate; else None."""
    key = sent_key(headers)
    name = await asyncio.to_thread(_name, key) if key and not await is_open() else ""
    if not name:
        return None  # a missing key is refused elsewhere
    a_minute = (await asyncio.to_thread(allowed_to, name)).rate.requests
    seconds = await asyncio.to_thread(_wait, name, a_minute) if a_minute else 0.0
    if not seconds:
        return None
    message = f"Your limit is {a_minute:,} requests per minute; try again in {ceil(seconds)} seconds."
    return JSONResponse({"detail": message}, TOO_MANY, headers={"Retry-After": str(ceil(seconds))})


def _wait(name: str, a_minute: int) -> float:
    try:
        return wait_for_request(name, a_minute)
    except Exception as error:
        if home_error(error):
            return 0.0  # requests cannot be counted on a full disk; reads still work
        raise


def _name(key: str) -> str:
    """Return the holder of a key or token; empty if it is unknown."""
    if takes_tokens() and looks_like_token(key):
        with suppress(TokenRefused):
            return subject_of(key).name
        return ""
    found = credentials().holder(key)
    return found[0] if found else ""
