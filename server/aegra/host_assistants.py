"""The host's assistants on aegra."""

from __future__ import annotations

from backtrail.server.policy.host_assistants import MADE_BY, as_written
from backtrail.tools.access.aegra_assistants import write_assistants
from backtrail.tools.access.policy.document import Policy


async def keep_assistants(policy: Policy | None) -> None:
    """Make the server's assistants of the host those of the policy."""
    await write_assistants(as_written(policy), MADE_BY)
