"""Assistants of the host on aegra."""

from __future__ import annotations

from backtrail.server.policy.host_assistants import MADE_BY, as_written
from backtrail.tools.access.aegra_assistants import write_assistants
from backtrail.tools.access.policy.document import Policy


async def keep_assistants(policy: Policy | None) -> None:
    """Synchronise the host's assistants on the server with the policy."""
    await write_assistants(as_written(policy), MADE_BY)
