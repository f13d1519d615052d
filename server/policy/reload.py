"""Reload the policy every second, and update the host's assistants."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from backtrail.server.policy.host_assistants import check_methods, keep_assistants
from backtrail.tools.access.choices import look_up_choices
from backtrail.tools.access.credentials import policy_in_force, policy_watch
from backtrail.tools.access.policy.document import Policy
from backtrail.tools.access.policy.errors import PolicyError

LOOKS_EVERY = 1.0
"""Seconds between two checks of the policy file (ours)."""

OFFERS_EVERY = 10.0
"""Seconds between two updates of the forms' choices, each of which opens every corpus (ours)."""

_LOG = logging.getLogger(__name__)


Keeping = Callable[[Policy | None], Awaitable[None]]


@asynccontextmanager
async def following_policy(keep: Keeping = keep_assistants) -> AsyncIterator[None]:
    """Follow changes of the policy within the block.

    Args:
        keep: synchronises the host's assistants with a policy.

    Raises:
        PolicyError: the policy is invalid at the start. Later the last valid one stays in force, and errors are logged.
    """
    policy = await asyncio.to_thread(policy_in_force)
    if wrong := check_methods(policy):
        raise PolicyError("\n".join(wrong))
    watch = asyncio.create_task(_watch(policy, keep))
    try:
        yield
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch


async def _watch(policy: Policy | None, keep: Keeping) -> None:
    kept: Policy | None = Policy()  # unequal to any policy with assistants
    logged, offered = "", -OFFERS_EVERY
    while True:
        try:
            if policy != kept:
                await keep(policy)
                kept = policy
            policy = await asyncio.to_thread(policy_in_force)
            if time.monotonic() - offered > OFFERS_EVERY:
                await asyncio.to_thread(look_up_choices)
                offered = time.monotonic()
            problem = policy_watch().problem or "\n".join(check_methods(policy))
            if problem and problem != logged:
                _LOG.error("The last valid policy stays in force; its file is invalid: %s", problem)
            logged = problem
        except Exception:  # noqa: BLE001 - retried; giving up would leave an old policy's assistants
            _LOG.exception("The policy could not be followed")
        await asyncio.sleep(LOOKS_EVERY)
