"""Stop runs and crons of revoked keys.

``backtrail keys revoke`` is another process, so the server reads the keys itself once a second. Running and waiting
runs are cancelled and crons switched off. Threads, assistants and store items stay for a new key of the same name, or
for an administrator to delete. Work of earlier keys of a name ends too, so that a stolen key leaves nothing running.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from langgraph_sdk.errors import NotFoundError

from backtrail.server.auth import credentials
from backtrail.server.internal_api import every, within
from backtrail.tools.access.api_keys import Holder
from backtrail.tools.access.credentials import is_held
from backtrail.tools.access.thread_owner import OWNER, OWNER_KEY
from backtrail.tools.errors import SettingsError

LOOKS_EVERY = 1.0
"""Seconds between two checks of the keys (ours)."""

SWEEPS_EVERY = 30.0
"""Seconds between two sweeps without a revocation: a run may start just as its key is revoked (ours)."""

MOST_RUNS = 1000
"""Runs of a thread per request: the server's maximum."""

_GOING_ON = ("pending", "running")
_log = logging.getLogger(__name__)


@asynccontextmanager
async def watching() -> AsyncIterator[None]:
    """Stop the work of revoked keys within the block, first the runs that the server resumes at its start."""
    holders = await asyncio.to_thread(credentials().holders)
    if holders is not None:
        await stop_all_but(holders)
    watch = asyncio.create_task(_watch(holders))
    try:
        yield
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch


async def _watch(before: Mapping[str, Holder] | None) -> None:
    clock = asyncio.get_running_loop()
    swept = clock.time()
    while True:
        await asyncio.sleep(LOOKS_EVERY)
        try:
            holders = await asyncio.to_thread(credentials().holders)
            if holders is not None and (holders != before or clock.time() - swept > SWEEPS_EVERY):
                await stop_all_but(holders)
                before, swept = holders, clock.time()
        except SettingsError as error:
            _log.error("%s", error)
        except Exception:  # noqa: BLE001 - retried; giving up would let revoked work continue
            _log.exception("The work of revoked keys could not be stopped")


async def stop_all_but(holders: Mapping[str, Holder]) -> None:
    """Cancel runs and switch off crons of all other keys. Those without owner continue."""
    busy = [thread async for thread in every(within().threads.search, status="busy", select=["thread_id", "metadata"])]
    stopped = 0
    for thread in busy:
        for status in _GOING_ON:
            runs = await within().runs.list(thread["thread_id"], limit=MOST_RUNS, status=status)
            revoked = [run["run_id"] for run in runs if _is_revoked({**_metadata(thread), **_metadata(run)}, holders)]
            if revoked:
                with suppress(NotFoundError):  # already ended
                    await within().runs.cancel_many(thread_id=thread["thread_id"], run_ids=revoked)
                    stopped += len(revoked)
    crons = [cron async for cron in every(within().crons.search, enabled=True) if _is_revoked(_metadata(cron), holders)]
    for cron in crons:
        with suppress(NotFoundError):
            await within().crons.update(cron["cron_id"], enabled=False)
    if stopped or crons:
        _log.warning("Stopped %d runs and %d crons of revoked keys", stopped, len(crons))


def _metadata(found: Mapping[str, Any]) -> Mapping[str, Any]:
    return found.get("metadata") or {}


def _is_revoked(metadata: Mapping[str, Any], holders: Mapping[str, Holder]) -> bool:
    owner = metadata.get(OWNER)
    holder = holders.get(owner or "")
    if holder is None:
        return bool(owner) and not is_held(str(owner), holders)
    return metadata.get(OWNER_KEY) not in (None, holder.mark)
