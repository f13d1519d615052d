"""Limit concurrent requests across event loops, first come first served.

``asyncio.Semaphore`` belongs to one event loop. A process may run several (a server with isolated
loops, a command line that starts one per question), and a model's limit covers all of them.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque


class Gate:
    """Semaphore for several event loops; waiting requests are admitted in order."""

    def __init__(self, width: int) -> None:
        self._free = width
        self._waiting: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = deque()
        self._lock = threading.Lock()  # held for a few instructions only, never across an await

    async def enter(self) -> None:
        """Wait for a slot."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if self._free and not self._waiting:
                self._free -= 1
                return
            ticket: asyncio.Future[None] = loop.create_future()
            self._waiting.append((loop, ticket))
        try:
            await ticket
        except asyncio.CancelledError:
            with self._lock:
                waiting = (loop, ticket) in self._waiting
                if waiting:
                    self._waiting.remove((loop, ticket))
            if not waiting:  # the slot was already assigned to this request: pass it on
                self.leave()
            raise

    def leave(self) -> None:
        """Pass the slot to the next waiting request."""
        with self._lock:
            while self._waiting:
                loop, ticket = self._waiting.popleft()
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_admit, ticket)
                    return
            self._free += 1


def _admit(ticket: asyncio.Future[None]) -> None:
    if not ticket.done():
        ticket.set_result(None)
