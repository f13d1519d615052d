"""Synchronise the host's assistants on the server with the policy."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

from langgraph_sdk.errors import ConflictError, NotFoundError

from backtrail.graphs.methods import METHODS
from backtrail.server.internal_api import every, within
from backtrail.tools.access.policy.allowed import GROUP
from backtrail.tools.access.policy.document import FixedAssistant, Policy
from backtrail.tools.access.policy.gate import assistant_id
from backtrail.tools.settings.keys import flatten, nest

WHOM = "whom"
"""Metadata key of the host's assistants: names, groups with their prefix, or ``*``."""

MADE_BY = {"created_by": "policy"}
EVERYBODY = "*"
_LOG = logging.getLogger(__name__)


def check_methods(policy: Policy | None) -> list[str]:
    """Return a sentence for each unknown method in the policy's assistants."""
    return [
        f"assistants.{name}.method = {one.method!r} is unknown. Methods are {', '.join(METHODS)}."
        for name, one in (policy.assistants if policy else {}).items()
        if one.method not in METHODS
    ]


def as_written(policy: Policy | None) -> dict[str, dict[str, Any]]:
    """Return a policy's assistants by id, in the server's form."""
    assistants = policy.assistants.items() if policy else ()
    return {
        assistant_id(name): {
            "graph_id": one.method,
            "context": nest(flatten(one.settings)),
            "metadata": {**MADE_BY, WHOM: _whom(one, policy)},
            "name": name,
            "description": one.description or METHODS[one.method].about,
        }
        for name, one in assistants
        if one.method in METHODS
    }


async def keep_assistants(policy: Policy | None) -> None:
    """Create, update and delete the host's assistants to match the policy."""
    wanted = as_written(policy)
    made: Any = dict(MADE_BY)
    existing = {str(one["assistant_id"]): one async for one in every(within().assistants.search, metadata=made)}
    for id_, written in wanted.items():
        if id_ not in existing:
            with suppress(ConflictError):  # another process was first
                await within().assistants.create(assistant_id=id_, if_exists="do_nothing", **written)
        elif any(existing[id_].get(key) != value for key, value in written.items()):
            await within().assistants.update(id_, **written)
    for id_ in existing.keys() - wanted.keys():
        with suppress(NotFoundError):
            await within().assistants.delete(id_)
            _LOG.warning("The assistant %s is no longer in the policy and was removed", existing[id_]["name"])


def _whom(one: FixedAssistant, policy: Policy | None) -> list[str]:
    if one.whom is None:
        return [EVERYBODY]
    groups = policy.groups if policy else {}
    return [f"{GROUP}{name}" if name in groups else name for name in one.whom]
