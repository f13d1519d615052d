"""How many requests a minute each holder makes of this process: a bucket that fills evenly."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from math import ceil

from starlette.responses import JSONResponse, Response

from backtrail.server.auth import is_open, sent_key
from backtrail.server.policy.admission import TOO_MANY
from backtrail.tools.access.ring import allowed_to, key_ring
from backtrail.tools.access.tokens import TokenRefused, looks_like_token, subject_of, takes_tokens

MINUTE = 60.0
MOST_HOLDERS = 10_000
"""Buckets that are kept; the one that was asked for longest ago goes (ours)."""


class Pace:
    """Buckets by name. One process, one event loop: no lock."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, name: str, a_minute: int, now: float | None = None) -> float:
        """Seconds until one more request may be made; 0 when it may be made now, and then it counts."""
        now = time.monotonic() if now is None else now
        left, since = self._buckets.pop(name, (float(a_minute), now))
        left = min(float(a_minute), left + (now - since) * a_minute / MINUTE)
        waits = 0.0 if left >= 1 else (1 - left) * MINUTE / a_minute
        self._buckets[name] = (left if waits else left - 1, now)
        if len(self._buckets) > MOST_HOLDERS:
            self._buckets.popitem(last=False)
        return waits


_PACE = Pace()


async def too_fast(headers: Mapping[bytes, bytes]) -> Response | None:
    """The refusal of a request beyond the rate of whoever sends these headers; None when it is answered."""
    key = sent_key(headers)
    name = await asyncio.to_thread(_name, key) if key and not await is_open() else ""
    if not name:
        return None  # whoever has no key is refused for that
    a_minute = (await asyncio.to_thread(allowed_to, name)).rate.requests
    seconds = _PACE.wait(name, a_minute) if a_minute else 0.0
    if not seconds:
        return None
    said = f"{a_minute:,} requests a minute are answered for you here; try again in {ceil(seconds)} seconds."
    return JSONResponse({"detail": said}, TOO_MANY, headers={"Retry-After": str(ceil(seconds))})


def _name(key: str) -> str:
    """Whose key or token it is; empty for nobody's."""
    if takes_tokens() and looks_like_token(key):
        with suppress(TokenRefused):
            return subject_of(key).name
        return ""
    found = key_ring().holder(key)
    return found[0] if found else ""
