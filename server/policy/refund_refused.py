"""Refund the quota of an admitted run that is refused later.

The server refuses invalid pictures, threads and assistants only after the quotas were charged; without refunds a key
could be locked out for ten minutes by twenty such mistakes.
"""

from __future__ import annotations

import asyncio
import logging
from contextvars import ContextVar
from typing import TYPE_CHECKING

from backtrail.tools.access.records.spending import take_back

if TYPE_CHECKING:
    from starlette.types import Message, Scope, Send

_admitted: ContextVar[list[str] | None] = ContextVar("admitted", default=None)
_LOG = logging.getLogger(__name__)


def note_admitted(run: str) -> None:
    """Record a run that the current request was admitted for."""
    runs = _admitted.get()
    if runs is not None:
        runs.append(run)


def refunding(scope: Scope, send: Send) -> Send:
    """Wrap ``send``: refund the request's admitted runs before a refusal is sent."""
    if scope["type"] != "http" or scope["method"] != "POST":
        return send
    runs: list[str] = []
    _admitted.set(runs)

    async def answered(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] >= 400 and runs:
            try:
                await asyncio.to_thread(take_back, tuple(runs))
            except Exception:  # noqa: BLE001 - the refusal is sent anyway
                _LOG.exception("Refused runs could not be refunded and count until they expire")
        await send(message)

    return answered
