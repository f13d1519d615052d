"""The rate limiter with a clock of our own: how much a minute, and who comes first."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.tools.deciders.requests.concurrency_gate import Gate
from backtrail.tools.deciders.requests.rate_limit import WINDOW, Limits, RateLimiter


class FakeClock:
    """Time that passes only when somebody sleeps; sleepers wake in the order of their times."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        await asyncio.sleep(seconds / 1e5)  # real order, a minute in 0.6 ms
        self.now = max(self.now, until)


def limiter(requests: int | None = None, tokens: int | None = None, concurrency: int = 100) -> RateLimiter:
    clock = FakeClock()
    return RateLimiter(Limits(requests, tokens, concurrency), clock, clock.sleep)


async def run(limiter: RateLimiter, sizes: list[int]) -> list[float]:
    """Start times of requests that are made one after the other without waiting for replies."""
    starts: list[float] = []
    for size in sizes:
        async with limiter.slot(size) as slot:
            starts.append(slot.start - 1000.0)
    return starts


@pytest.mark.parametrize(
    ("requests", "tokens", "sizes", "starts"),
    [
        (None, None, [10**9] * 5, [0] * 5),
        (2, None, [1] * 5, [0, 0, 60, 60, 120]),
        (None, 100, [60, 40, 50, 50, 10], [0, 0, 60, 60, 120]),
        (None, 100, [10, 500, 10], [0, 60, 120]),
    ],
    ids=["unlimited", "requests", "tokens", "one too large waits for an empty window"],
)
async def test_so_much_a_minute(requests: int | None, tokens: int | None, sizes: list[int], starts: list) -> None:
    assert await run(limiter(requests, tokens), sizes) == starts


async def test_what_was_really_used_counts() -> None:
    limits = limiter(tokens=100)
    async with limits.slot(90) as slot:
        slot.settle(10)
    assert await run(limits, [90]) == [0]


async def test_a_servers_wish_holds_for_everybody() -> None:
    limits = limiter()
    limits.pause(7)
    assert await run(limits, [1, 1]) == [7, 7]


@settings(deadline=None)
@given(st.lists(st.integers(0, 150), min_size=1, max_size=25), st.integers(1, 5), st.integers(50, 200))
def test_no_window_ever_holds_more(sizes: list[int], requests: int, tokens: int) -> None:
    limits = limiter(requests, tokens)
    starts = asyncio.run(run(limits, sizes))
    assert starts == sorted(starts)
    for first in starts:
        inside = [size for start, size in zip(starts, sizes, strict=True) if first <= start < first + WINDOW]
        assert len(inside) <= requests
        assert sum(inside) <= tokens or len(inside) == 1 or max(inside) > tokens


async def test_the_gate_admits_in_order_and_so_many_at_once() -> None:
    gate = Gate(2)
    order: list[int] = []
    inside = most = 0

    async def one(number: int) -> None:
        nonlocal inside, most
        await gate.enter()
        inside += 1
        most = max(most, inside)
        order.append(number)
        await asyncio.sleep(0.001)
        inside -= 1
        gate.leave()

    await asyncio.gather(*(one(number) for number in range(9)))
    assert (most, order) == (2, list(range(9)))


async def test_who_is_cancelled_gives_the_place_on() -> None:
    gate = Gate(1)
    await gate.enter()
    waiting = [asyncio.create_task(gate.enter()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()  # still in line
    gate.leave()  # the second is admitted, and cancelled before it notices
    waiting[1].cancel()
    await asyncio.wait_for(waiting[2], 1)
    assert [task.cancelled() for task in waiting] == [True, True, False]


def test_a_gate_serves_several_event_loops() -> None:
    gate = Gate(1)
    for _ in range(3):
        asyncio.run(asyncio.wait_for(gate.enter(), 1))
        gate.leave()
