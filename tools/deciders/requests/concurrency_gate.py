"""Limit concurrent requests, first come first served.

``asyncio.Semaphore`` belongs to one event loop. A process may run several (a server with isolated
loops, a command line that starts one per question), and the limit of a model holds for all of them.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque


class Gate:
    """Counts who is inside; the rest wait in order."""

    def __init__(self, width: int) -> None:
        self._free = width
        self._waiting: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = deque()
        self._lock = threading.Lock()  # held for a few instructions only, never across an await

    async def enter(self) -> None:
        """Wait for a place."""
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
            if not waiting:  # the place was given to us already: hand it on
                self.leave()
            raise

    def leave(self) -> None:
        """Give the place to the next in line."""
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
