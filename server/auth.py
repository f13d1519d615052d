"""Access control of the server: langgraph.json names ``auth`` under ``auth.path``.

Without configured keys (``tools/access/api_keys.py``) the server is open and nothing is separated. With keys every
request needs one, and threads, runs, assistants, crons and store items belong to the key's holder: the holder's name
overwrites ``owner`` in their metadata, and those of other holders appear not to exist.
The assistants that the server creates for each graph have no owner: everyone may read and run, nobody may change them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextvars import Context
from functools import partial
from typing import Any, NamedTuple

from langgraph_sdk import Auth
from langgraph_sdk.errors import NotFoundError

from backtrail.server.internal_api import within
from backtrail.server.policy.admission import admit
from backtrail.server.policy.host_assistants import EVERYBODY, MADE_BY, WHOM
from backtrail.server.public_address import note_address
from backtrail.server.question_pictures import keep_pictures
from backtrail.server.super_steps import allow_super_steps
from backtrail.server.validate_requests import (
    check_assistant,
    check_cron,
    check_item,
    check_run,
    check_thread,
    refusing,
)
from backtrail.tools.access.credentials import allowed_to, credentials, is_held
from backtrail.tools.access.records.subjects import note_groups
from backtrail.tools.access.thread_owner import OWNER, OWNER_KEY, belongs_to_other, thread_of_run
from backtrail.tools.access.tokens import TokenRefused, looks_like_token, subject_of, takes_tokens

_WRITES = ("create", "create_run", "update")
_NO_THREAD = {"create": "Thread with ID {} not found", "create_run": "Thread or assistant not found."}
"""Messages of the server for a thread that does not exist."""
_SENDS = (*_WRITES, "search")  # actions with a body
_SYSTEM = {"created_by": "system"}  # the server's mark of its own assistants

_KEY = "key"  # the user's field with the mark of the key

auth = Auth()


class _Asker(NamedTuple):
    name: str
    mark: str


async def is_open() -> bool:
    """Return whether no keys are configured, so that everyone may do everything.

    Raises:
        SettingsError: the key file cannot be used; access is denied to everybody.
    """
    return await asyncio.to_thread(credentials().is_open)


@auth.authenticate
async def authenticate(headers: dict[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """Return the holder of the request's key; an empty name while the server is open."""
    return await user_of(headers)


async def user_of(headers: Mapping[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """Return the user of a request's headers; an empty name while the server is open.

    Raises:
        HTTPException: 401 without a valid key.
    """
    if await is_open():
        return {"identity": "", "display_name": "", "is_authenticated": False}
    key = sent_key(headers)
    if takes_tokens() and looks_like_token(key):
        return await _subject(key)
    found = await asyncio.to_thread(credentials().holder, key) if key else None
    if found is None:
        raise Auth.exceptions.HTTPException(
            status_code=401,
            detail="Unknown key." if key else "A key is needed: send 'Authorization: Bearer KEY'.",
        )
    name, holder = found
    user: Any = {"identity": name, "display_name": name, "is_authenticated": True, _KEY: holder.mark}
    return user


async def _subject(token: str) -> Auth.types.MinimalUserDict:
    try:
        subject = await asyncio.to_thread(subject_of, token)
    except TokenRefused as error:
        raise Auth.exceptions.HTTPException(status_code=401, detail=str(error)) from error
    await asyncio.to_thread(note_groups, subject.name, subject.groups)
    return {"identity": subject.name, "display_name": subject.name, "is_authenticated": True}


def sent_key(headers: Mapping[bytes, bytes]) -> str:
    """Return the key in a request's headers, or an empty string. The SDK's clients send ``x-api-key``."""
    scheme, _, value = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else headers.get(b"x-api-key", b"").decode("latin-1")


@auth.on
async def anything_else(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """Deny resources without a rule, as of later servers, unless the server is open."""
    return await is_open()


@auth.on.threads
async def threads(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType | None:
    """Give holders access to their own threads and runs."""
    if ctx.action in _SENDS:
        await refusing(check_run if ctx.action == "create_run" else check_thread, value)
    if ctx.action == "create_run":
        note_address(value)
        allow_super_steps(value)
    if await is_open():
        if ctx.action == "create_run":
            await admit("", value)
            await refusing(keep_pictures, value)
        return None
    asker, thread, run = await _asker(ctx), value.get("thread_id"), value.get("run_id")
    # The server forgets threads and does not know those of the command line. A new thread with the same id would show
    # their checkpoints; for a known one the server's error would be "already exists", which reveals it.
    if ctx.action in ("create", "create_run") and thread and await _is_anothers(str(thread), asker.name, ctx.action):
        raise Auth.exceptions.HTTPException(status_code=404, detail=_NO_THREAD[ctx.action].format(thread))
    # The server deletes the checkpoints of a run before it checks that the run is on the named thread.
    if ctx.action == "delete" and run and await thread_of_run(str(run)) not in (None, str(thread)):
        raise Auth.exceptions.HTTPException(status_code=404, detail="Run not found")
    if ctx.action == "create_run":
        await admit(asker.name, value)
        await refusing(partial(keep_pictures, owner=asker.name), value)
    _sign(ctx, value, asker)
    return {OWNER: asker.name}


async def _is_anothers(thread: str, name: str, action: str) -> bool:
    if await belongs_to_other(thread, name):
        return True
    if action != "create":
        return False
    # in an empty context: otherwise the server would ask as the current user
    owner = await asyncio.create_task(_owner_of(thread), context=Context())
    return owner not in (None, name)


async def _owner_of(thread: str) -> str | None:
    """Return the owner of a thread on the server, empty without owner; None if there is no such thread."""
    try:
        thread_found = await within().threads.get(thread)
    except NotFoundError:
        return None
    return str((thread_found.get("metadata") or {}).get(OWNER, ""))


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType | None:
    """Give holders their own assistants, and read access to those of the server and the host."""
    if ctx.action in _SENDS:
        await refusing(check_assistant, value)
    if await is_open():
        return None
    asker = await _asker(ctx)
    if ctx.action in _WRITES:
        refuse_hosts_marks(value)
    _sign(ctx, value, asker)
    if ctx.action in ("read", "search"):
        return await filter_of_assistants(asker.name)
    return {OWNER: asker.name}


def refuse_hosts_marks(value: Mapping[str, Any]) -> None:
    """Refuse metadata that would mark an assistant as the server's or the host's."""
    written = value.get("metadata") or {}
    if WHOM in written or written.get("created_by") in (_SYSTEM["created_by"], MADE_BY["created_by"]):
        raise Auth.exceptions.HTTPException(status_code=403, detail="Only the server and its host may create these.")


async def filter_of_assistants(name: str) -> Auth.types.FilterType:
    """Return the filter of readable assistants: the holder's, the server's, and the host's for them."""
    whom = await asyncio.to_thread(allowed_to, name)
    meant = [{WHOM: {"$contains": one}} for one in (name, whom.shared, EVERYBODY) if one]
    either: Any = {"$or": [{OWNER: name}, _SYSTEM, *meant]}  # the SDK's types lack this operator
    return either


@auth.on.crons
async def crons(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType | None:
    """Give holders access to their own scheduled runs, which run in their name."""
    if ctx.action in _SENDS:
        schedule = value.get("schedule")
        if not isinstance(schedule, str) and (schedule is not None or ctx.action == "create"):
            raise Auth.exceptions.HTTPException(status_code=422, detail="A cron needs a schedule, such as '0 7 * * *'.")
        await refusing(check_cron, value)
    if await is_open():
        return None
    asker = await _asker(ctx)
    _sign(ctx, value, asker)
    return {OWNER: asker.name}


@auth.on.store
async def store(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """Give holders access to namespaces that begin with their name; searches without a namespace use it."""
    await refusing(check_item, value)
    if await is_open():
        return True
    me = (await _asker(ctx)).name
    if not value.get("namespace") and ctx.action in ("search", "list_namespaces"):
        value["namespace"] = (me,)
    if tuple(value.get("namespace") or ())[:1] != (me,):
        raise Auth.exceptions.HTTPException(status_code=403, detail=f"Your namespaces begin with {me!r}.")
    return True


async def _asker(ctx: Auth.types.AuthContext) -> _Asker:
    """Return the requester. Crons and runs act in their owner's name, without a request.

    Work started without a key, while the server was open, or with a revoked key is refused.
    """
    name = ctx.user.identity
    if not name:
        raise Auth.exceptions.HTTPException(status_code=403, detail="Started without a key; keys are required now.")
    holders = await asyncio.to_thread(credentials().holders) or {}
    holder = holders.get(name)
    if holder is None and is_held(name, holders):
        return _Asker(name, "")  # the subject of a token that was just verified
    if holder is None or _begun_with(ctx.user) not in (None, holder.mark):
        raise Auth.exceptions.HTTPException(status_code=403, detail="The key that started this was revoked.")
    return _Asker(name, holder.mark)


def _begun_with(user: Any) -> str | None:
    try:
        return str(user[_KEY])
    except (KeyError, TypeError, AttributeError, NotImplementedError):
        return None  # started before keys had marks


def _sign(ctx: Auth.types.AuthContext, value: Any, asker: _Asker) -> None:
    """Write the owner into the metadata of ``value``, the dict that the server stores."""
    if ctx.action in _WRITES:
        if value.get("metadata") is None:
            value["metadata"] = {}
        value["metadata"][OWNER] = asker.name
        if ctx.action == "create_run" or ctx.resource == "crons":
            value["metadata"][OWNER_KEY] = asker.mark or None
