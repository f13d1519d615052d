"""Run slots of a process, shared fairly between keys.

The server's queue is first come, first served: twenty runs of one key would be ahead of another key's first. Here a run
waits for a turn before it starts, and may wait again between two steps. Turns go to the key that has the fewest. A
single key gets all of them.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from backtrail.tools.errors import SettingsError

VARIABLE = "BACKTRAIL_AT_WORK"
AT_WORK = 16
"""Concurrent runs of one process: with models most of them wait for a reply, without, two keep a core busy and
the rest are soon done (ours)."""


MOST_KEYS = 10_000
"""Keys whose last turn is remembered; the least recent is forgotten (ours)."""


class Turns:
    """A number of turns, shared between keys. Runs may wait in any event loop of the process."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._held: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        self._had: dict[str, int] = {}
        self._count = 0
        self._lock = threading.Lock()

    @asynccontextmanager
    async def held(self, key: str) -> AsyncIterator[None]:
        """Wait for a turn and keep it until the block ends."""
        await self._take(key)
        try:
            yield
        finally:
            self._give(key)

    async def give_way(self, key: str) -> None:
        """Pass the turn to a waiting key that has fewer, if any, and wait for the next.

        On cancellation the turn is taken back, because the block of ``held`` returns it.
        """
        with self._lock:
            more = any(not self._held[other] or self._held[other] + 1 < self._held[key] for other, _ in self._waiting)
        if more:
            self._give(key)
            try:
                await self._take(key)
            except BaseException:
                with self._lock:
                    self._held[key] += 1  # the block returns it
                    self._free -= 1
                raise

    async def _take(self, key: str) -> None:
        with self._lock:
            if self._free > 0:
                self._free -= 1
                self._grant(key)
                return
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((key, turn))
        try:
            await turn
        except BaseException:
            with self._lock:
                waited = (key, turn) in self._waiting
                if waited:
                    self._waiting.remove((key, turn))
            if not waited:
                self._give(key)  # granted just before the cancellation
            raise

    def _give(self, key: str) -> None:
        """Pass a turn to the waiting key with the fewest turns; among equals, to the least recently served.

        With fewer turns than keys, this alternates between keys, not runs.
        """
        with self._lock:
            self._held[key] -= 1
            if self._held[key] <= 0:
                del self._held[key]
            if not self._waiting or self._free < 0:
                self._free += 1
                return
            place = min(range(len(self._waiting)), key=self._rank)
            next_key, turn = self._waiting.pop(place)
            self._grant(next_key)
        turn.get_loop().call_soon_threadsafe(_resolve, turn)

    def _rank(self, place: int) -> tuple[int, int, int]:
        key = self._waiting[place][0]
        return self._held[key], self._had.get(key, 0), place

    def _grant(self, key: str) -> None:
        self._held[key] += 1
        self._count += 1
        self._had.pop(key, None)
        self._had[key] = self._count
        if len(self._had) > MOST_KEYS:
            del self._had[next(iter(self._had))]


def _resolve(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


@cache
def turns() -> Turns:
    """The turns of this process.

    Raises:
        SettingsError: the variable is not a whole number of at least 1.
    """
    text = os.environ.get(VARIABLE, "").strip() or str(AT_WORK)
    if not (text.isdecimal() and int(text) > 0):
        raise SettingsError(f"{VARIABLE}={text!r} is not a whole number of at least 1.")
    return Turns(int(text))
