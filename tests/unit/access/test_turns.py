"""Turns at work go to the key that has the fewest, and none is lost, whoever is cancelled."""

import asyncio
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.tools.access.run_slots import VARIABLE, Turns, turns
from backtrail.tools.errors import SettingsError


class Runs:
    """Runs of several keys, each of so many steps, and the order in which steps were done."""

    def __init__(self, number: int) -> None:
        self.turns, self.steps, self.most = Turns(number), [], 0
        self._at_work: Counter[str] = Counter()

    async def run(self, key: str, steps: int) -> None:
        async with self.turns.held(key):
            for _ in range(steps):
                self._at_work[key] += 1
                self.most = max(self.most, self._at_work.total())
                try:
                    await asyncio.sleep(0)
                finally:
                    self._at_work[key] -= 1
                self.steps.append(key)
                await self.turns.give_way(key)


@given(st.integers(1, 4), st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 4)), max_size=12), st.randoms())
def test_no_turn_is_lost_or_made(number: int, wanted: list[tuple[str, int]], draw: random.Random) -> None:
    async def try_it() -> None:
        runs = Runs(number)
        tasks = [asyncio.create_task(runs.run(key, steps)) for key, steps in wanted]
        for task in tasks:
            await asyncio.sleep(0)
            if draw.random() < 0.3:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert runs.most <= number
        async with asyncio.timeout(5):
            before, runs.most = runs.most, 0
            await asyncio.gather(*(runs.run("last", 2) for _ in range(number)))
            assert runs.most == number, before

    asyncio.run(try_it())


def test_a_number_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    turns.cache_clear()
    monkeypatch.setenv(VARIABLE, "many")
    with pytest.raises(SettingsError, match="BACKTRAIL_AT_WORK='many' is not a whole number"):
        turns()
