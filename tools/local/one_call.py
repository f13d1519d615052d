"""Meter one call of a local model: admit it by the budget, limit its time, count it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from backtrail.state.budget import Allowance
from backtrail.tools.deciders.call_meter import CallMeter
from backtrail.tools.deciders.prices import Price
from backtrail.tools.errors import ModelUnavailable

FREE = Price(0.0, 0.0, 0.0)


@asynccontextmanager
async def one_call(name: str, *, expected: int, timeout: float, allowance: Allowance) -> AsyncIterator[CallMeter]:
    """Provide the meter of a call and limit the time of the block.

    Args:
        expected: estimated tokens of the request.
        timeout: seconds that the call may take, including its wait for others.

    Raises:
        BudgetExhausted: the call does not fit the allowance, or takes longer than its seconds.
        ModelUnavailable: it took longer than the time-out.
    """
    meter = CallMeter(name, {name: FREE}, allowance=allowance, decider=name)
    meter.admit(expected)
    meter.sent()
    left = timeout if allowance.seconds is None else min(timeout, allowance.seconds)
    limit = asyncio.timeout(left)
    try:
        async with limit:
            yield meter
    except TimeoutError as error:
        if not limit.expired():
            raise
        if left < timeout:
            raise meter.exhausted("seconds", f"the {left:.1f} s left were over before it had decided") from None
        slow = ModelUnavailable(
            f"{name} did not reply within {timeout:g} s. Raise BACKTRAIL_TIMEOUT, or use a faster device or a smaller "
            "checkpoint."
        )
        slow.charge = meter.charge()
        raise slow from error
