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
"""Seconds (ours)."""

OFFERS_EVERY = 10.0
"""Seconds between two looks at what forms can offer: each opens every corpus (ours)."""

_LOG = logging.getLogger(__name__)


Keeping = Callable[[Policy | None], Awaitable[None]]


@asynccontextmanager
async def following_policy(keep: Keeping = keep_assistants) -> AsyncIterator[None]:
    """Follow the policy as long as the block lasts.

    Args:
        keep: makes the server's assistants those of a policy.

    Raises:
        PolicyError: it cannot be used at the start. Later the last one stays in force, and the log says why.
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
    kept: Policy | None = Policy()  # unlike any that asks for assistants
    told, offered = "", -OFFERS_EVERY
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
            if problem and problem != told:
                _LOG.error("The policy in force is not the one in its file: %s", problem)
            told = problem
        except Exception:  # noqa: BLE001 - tried again; giving up would leave an old policy's assistants
            _LOG.exception("The policy could not be followed")
        await asyncio.sleep(LOOKS_EVERY)
