"""Run slots of a process, shared fairly between keys.

The queue of the server is first come, first served. One key's twenty runs would be ahead of another's first, and all
at work would share one interpreter. Here a run waits for a turn before it begins, and may have to wait again between
two steps: turns go to the key that has the fewest. Whoever is alone has all of them.
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
"""Runs at work at a time in one process: with models most of them wait for a reply, without, two keep a core busy and
the rest are soon done (ours)."""


MOST_KEYS = 10_000
"""Keys whose last turn is remembered; the one that had none for longest is forgotten (ours)."""


class Turns:
    """So many turns, shared out between keys. Runs may wait in any event loop of the process."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._held: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        self._had: dict[str, int] = {}
        self._count = 0
        self._lock = threading.Lock()

    @asynccontextmanager
    async def held(self, key: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it as long as the block lasts."""
        await self._take(key)
        try:
            yield
        finally:
            self._give(key)

    async def give_way(self, key: str) -> None:
        """Let a key that has fewer turns have this one, if one waits, and wait for the next.

        The block of ``held`` still ends with a turn: when this is cancelled, it has been taken as well.
        """
        with self._lock:
            more = any(not self._held[other] or self._held[other] + 1 < self._held[key] for other, _ in self._waiting)
        if more:
            self._give(key)
            try:
                await self._take(key)
            except BaseException:
                with self._lock:
                    self._held[key] += 1  # the block gives it back
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
                self._give(key)  # it came in the very moment
            raise

    def _give(self, key: str) -> None:
        """Give a turn to the key among those that wait which has the fewest, among equals to whose last is longest ago.

        So where there are fewer turns than keys, keys take turns, not runs.
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
        turn.get_loop().call_soon_threadsafe(_tell, turn)

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


def _tell(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


@cache
def turns() -> Turns:
    """Those of this process.

    Raises:
        SettingsError: the variable is no whole number of at least 1.
    """
    text = os.environ.get(VARIABLE, "").strip() or str(AT_WORK)
    if not (text.isdecimal() and int(text) > 0):
        raise SettingsError(f"{VARIABLE}={text!r} is not a whole number of at least 1.")
    return Turns(int(text))
