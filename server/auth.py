"""Who may do what on the server: langgraph.json names ``auth`` under ``auth.path``.

Without configured keys (``tools/access/api_keys.py``) the server is open, and nothing is kept apart. With keys every
request has to bring one, and threads, runs, assistants, crons and the store are those of the key's holder: the
holder's name is put into their metadata as ``owner``, whatever a client wrote there, and everything else is as if it
did not exist.
The assistants that the server makes for each graph have no owner; everyone may read and run them, nobody change them.
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
from backtrail.tools.access.thread_owner import OWNER, OWNER_KEY, is_anothers, thread_of_run
from backtrail.tools.access.tokens import TokenRefused, looks_like_token, subject_of, takes_tokens

_WRITES = ("create", "create_run", "update")
_NO_THREAD = {"create": "Thread with ID {} not found", "create_run": "Thread or assistant not found."}
"""What the server itself says of a thread that does not exist."""
_SENDS = (*_WRITES, "search")  # what clients send more with than an id
_SYSTEM = {"created_by": "system"}  # how the server marks the assistants it makes

_KEY = "key"  # of what the server keeps of whoever asked: the mark of the key

auth = Auth()


class _Asker(NamedTuple):
    name: str
    mark: str


async def is_open() -> bool:
    """Whether no keys are configured, so that everyone may do everything.

    Raises:
        SettingsError: the file of keys cannot be used. Then nobody is let in.
    """
    return await asyncio.to_thread(credentials().is_open)


@auth.authenticate
async def authenticate(headers: dict[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """The holder of the key that a request brings; nobody, with an empty name, while the server is open."""
    return await user_of(headers)


async def user_of(headers: Mapping[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """Who sends these headers; an empty name while the server is open.

    Raises:
        HTTPException: 401 without a key that is known here.
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
            detail="This key is not known here." if key else "A key is needed: send 'Authorization: Bearer KEY'.",
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
    """The key in a request's headers; empty when there is none. ``x-api-key`` is what the SDK's clients send."""
    scheme, _, value = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else headers.get(b"x-api-key", b"").decode("latin-1")


@auth.on
async def anything_else(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """Resources of later servers, which no rule here knows, are closed unless everything is open."""
    return await is_open()


@auth.on.threads
async def threads(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType | None:
    """Threads with their state and runs: each holder's own."""
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
    # The server forgets threads, and does not know those of the command line; a thread that is made anew under
    # their id would show their checkpoints. One that it knows it would refuse with "already exists".
    if ctx.action in ("create", "create_run") and thread and await _is_anothers(str(thread), asker.name, ctx.action):
        raise Auth.exceptions.HTTPException(status_code=404, detail=_NO_THREAD[ctx.action].format(thread))
    # The server removes the checkpoints of a run before it looks whether the run is on the thread it was named with.
    if ctx.action == "delete" and run and await thread_of_run(str(run)) not in (None, str(thread)):
        raise Auth.exceptions.HTTPException(status_code=404, detail="Run not found")
    if ctx.action == "create_run":
        await admit(asker.name, value)
        await refusing(partial(keep_pictures, owner=asker.name), value)
    _sign(ctx, value, asker)
    return {OWNER: asker.name}


async def _is_anothers(thread: str, name: str, action: str) -> bool:
    if await is_anothers(thread, name):
        return True
    if action != "create":
        return False
    # in a context of its own, as the server would else ask in the name of who asks now
    owner = await asyncio.create_task(_owner_of(thread), context=Context())
    return owner not in (None, name)


async def _owner_of(thread: str) -> str | None:
    """The owner of a thread in the server's own list, nobody's being empty; None when there is no such thread."""
    try:
        held = await within().threads.get(thread)
    except NotFoundError:
        return None
    return str((held.get("metadata") or {}).get(OWNER, ""))


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType | None:
    """Assistants: each holder's own, and to read and run those of the server."""
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
    """Refuse metadata that would make an assistant look like one of the server's or the host's."""
    written = value.get("metadata") or {}
    if WHOM in written or written.get("created_by") in (_SYSTEM["created_by"], MADE_BY["created_by"]):
        raise Auth.exceptions.HTTPException(status_code=403, detail="Only the server and its host make these.")


async def filter_of_assistants(name: str) -> Auth.types.FilterType:
    """Assistants that somebody may read and run: their own, the server's, and those of the host that are for them."""
    whom = await asyncio.to_thread(allowed_to, name)
    meant = [{WHOM: {"$contains": one}} for one in (name, whom.shared, EVERYBODY) if one]
    either: Any = {"$or": [{OWNER: name}, _SYSTEM, *meant]}  # the SDK's types do not name this operator yet
    return either


@auth.on.crons
async def crons(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType | None:
    """Scheduled runs: each holder's own. They run in the holder's name."""
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
    """The store: namespaces that begin with the holder's name. Searching and listing without one means these."""
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
    """Who asks. Crons and runs ask in their owner's name, without a request.

    Work that was begun by nobody, while the server was open, or with a key that was taken away, goes no further.
    """
    name = ctx.user.identity
    if not name:
        raise Auth.exceptions.HTTPException(status_code=403, detail="Begun without a key; keys are needed now.")
    holders = await asyncio.to_thread(credentials().holders) or {}
    holder = holders.get(name)
    if holder is None and is_held(name, holders):
        return _Asker(name, "")  # the subject of a token, which was looked at just now
    if holder is None or _begun_with(ctx.user) not in (None, holder.mark):
        raise Auth.exceptions.HTTPException(status_code=403, detail="The key that this was begun with was taken away.")
    return _Asker(name, holder.mark)


def _begun_with(user: Any) -> str | None:
    try:
        return str(user[_KEY])
    except (KeyError, TypeError, AttributeError, NotImplementedError):
        return None  # begun before keys had marks


def _sign(ctx: Auth.types.AuthContext, value: Any, asker: _Asker) -> None:
    """Put the owner into the metadata of what is written; the server keeps the dict that it showed us."""
    if ctx.action in _WRITES:
        if value.get("metadata") is None:
            value["metadata"] = {}
        value["metadata"][OWNER] = asker.name
        if ctx.action == "create_run" or ctx.resource == "crons":
            value["metadata"][OWNER_KEY] = asker.mark or None
