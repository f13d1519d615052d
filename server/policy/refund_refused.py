"""Refund the quota of an admitted run that is refused later.

A picture that is none, a thread of nobody's, an assistant that there is not: the server says so after the quotas were
looked at, and twenty such mistakes would keep a key from asking for ten minutes.
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
    """Remember that the request which is being answered has entered this run."""
    runs = _admitted.get()
    if runs is not None:
        runs.append(run)


def taking_back(scope: Scope, send: Send) -> Send:
    """What answers a request; where that is a refusal, the runs that the request has entered are taken back first."""
    if scope["type"] != "http" or scope["method"] != "POST":
        return send
    runs: list[str] = []
    _admitted.set(runs)

    async def answered(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] >= 400 and runs:
            try:
                await asyncio.to_thread(take_back, tuple(runs))
            except Exception:  # noqa: BLE001 - the refusal is told all the same
                _LOG.exception("Runs that were refused count until they are forgotten")
        await send(message)

    return answered
