"""Access control on aegra, which itself separates the holders' threads, runs, crons and stores.

This module adds keys, limits, the policy and access to the host's assistants. aegra passes the bodies of requests
to its rules, where LangGraph's server passes parsed values.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import uuid4

from langgraph_sdk import Auth

from backtrail.server.auth import filter_of_assistants, is_open, refuse_hosts_marks, user_of
from backtrail.server.policy.admission import admit
from backtrail.server.public_address import note_address
from backtrail.server.question_pictures import keep_pictures
from backtrail.server.validate_requests import (
    check_assistant,
    check_cron,
    check_item,
    check_run,
    check_thread,
    refusing,
)
from backtrail.tools.access.aegra_assistants import read_assistant
from backtrail.tools.access.records.spending import RESERVED
from backtrail.tools.access.thread_owner import OWNER

NOBODY = "anonymous"
"""Identity on a server without keys: aegra requires an owner of runs."""

_SENDS = ("create", "update", "search")
auth = Auth()


@auth.authenticate
async def authenticate(headers: dict[str, str]) -> Auth.types.MinimalUserDict:
    """Return the holder of the request's key; ``NOBODY`` while the server is open."""
    user: Any = await user_of({name.encode(): value.encode("latin-1") for name, value in headers.items()})
    user["identity"] = user["display_name"] = user["identity"] or NOBODY
    return user


@auth.on
async def anything_else(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """Deny resources without a rule, as of later versions, unless the server is open."""
    return await is_open()


@auth.on.threads
async def threads(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Check threads, and check and admit runs before they are created."""
    if ctx.action == "create_run":
        run = _begun(value)
        await refusing(check_run, run)
        name = await _name(ctx)
        await admit(name, run, read_assistant)
        # the run stores them again, because the input that aegra stores cannot be changed here
        await refusing(partial(keep_pictures, owner=name or None), run)
        _note_address(value)
    elif ctx.action in _SENDS:
        await refusing(check_thread, value)


def _note_address(value: dict[str, Any]) -> None:
    """Store the client's address in the run's config: aegra keeps changes there, but not in metadata."""
    sent = value["params"] if isinstance(value.get("params"), dict) else value
    sent["config"] = dict(sent.get("config") or {})
    note_address(sent["config"])


def _begun(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Convert a body that starts a run to the form of LangGraph's server."""
    sent: Mapping[str, Any] = value["params"] if isinstance(value.get("params"), Mapping) else value
    if "\x00" in str(sent.get("assistant_id")):
        raise Auth.exceptions.HTTPException(status_code=404, detail="There is no such assistant.")
    return {
        "assistant_id": sent.get("assistant_id"),
        "metadata": sent.get("metadata"),
        "run_id": f"{RESERVED}{uuid4()}",  # aegra assigns the run's id later
        "kwargs": {key: sent.get(key) for key in ("input", "command", "config", "context", "webhook")},
    }


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType | None:
    """Give holders their own assistants, and read access to those of the server and the host."""
    if ctx.action in _SENDS:
        await refusing(check_assistant, value)
    if ctx.action in ("create", "update"):
        refuse_hosts_marks(value)
        value["metadata"] = {**(value.get("metadata") or {}), OWNER: ctx.user.identity}
        return None
    return await filter_of_assistants(ctx.user.identity) if ctx.action in ("read", "search") else None


@auth.on.crons
async def crons(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Check scheduled runs. The policy gate checks the runs they start."""
    if ctx.action in ("create", "update"):
        await refusing(
            check_cron, {**value, "payload": {key: value.get(key) for key in ("input", "config", "context")}}
        )


@auth.on.store
async def store(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Check items of the store, which aegra separates by holder."""
    await refusing(check_item, value)
    labels = value.get("namespace_prefix") or value.get("namespace") or []
    if isinstance(labels, list) and any("." in str(label) for label in labels):
        raise Auth.exceptions.HTTPException(status_code=422, detail="Labels of a namespace must not contain '.'.")


async def _name(ctx: Auth.types.AuthContext) -> str:
    return "" if await is_open() else ctx.user.identity
