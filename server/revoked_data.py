"""List and delete the data of revoked keys.

    GET    /revoked           revoked holders with data, and its amount by kind
    GET    /revoked/{name}    ids, names and dates of one holder's data, never its content
    DELETE /revoked/{name}    delete all of it

Administrators may do nothing else beyond other holders. Data of holders with a key is out of reach, and so is data
without owner: threads from before there were keys, or of the command line.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from langgraph_sdk.errors import NotFoundError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from backtrail.server.auth import credentials
from backtrail.server.internal_api import every, within
from backtrail.server.stop_revoked import stop_all_but
from backtrail.tools.access import thread_owner
from backtrail.tools.access.api_keys import NAME
from backtrail.tools.access.thread_owner import OWNER
from backtrail.tools.checkpoints.history import QUESTIONS_READ

KINDS = ("threads", "crons", "assistants", "items")
_SHOWN = {
    "threads": ("thread_id", "created_at", "updated_at", "status"),
    "crons": ("cron_id", "schedule", "enabled", "created_at"),
    "assistants": ("assistant_id", "graph_id", "name", "created_at"),
}
Left = dict[str, list[dict[str, Any]]]


async def owners(request: Request) -> Response:
    """List owners without a key, with their amounts of data by kind."""
    holders = await _admitted(request)
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    known: set[str] = set()
    for kind, shown in _SHOWN.items():
        async for one in every(_search(kind), select=[shown[0], "metadata"]):
            found[str((one.get("metadata") or {}).get(OWNER) or "")][kind] += 1
            known.add(str(one[shown[0]]))
    for thread, owner in (await thread_owner.owned_threads(limit=QUESTIONS_READ)).items():
        found[owner]["threads"] += thread not in known
    for first in await _first_labels():
        found[first]["items"] = len(await _items(first)) if first not in holders else 0
    names = sorted(name for name in found if NAME.fullmatch(name) and name not in holders and found[name].total())
    return JSONResponse({"holders": [{"name": name, **{kind: found[name][kind] for kind in KINDS}} for name in names]})


async def listing(request: Request) -> Response:
    """List the data of a revoked holder."""
    name = await _revoked_name(request)
    return JSONResponse({"name": name, **await _left_by(name)})


async def removal(request: Request) -> Response:
    """Delete the data of a revoked holder and stop its runs."""
    name = await _revoked_name(request)
    await stop_all_but(await asyncio.to_thread(credentials().holders) or {})
    left = await _left_by(name)
    client = within()
    for cron in left["crons"]:
        with suppress(NotFoundError):
            await client.crons.delete(cron["cron_id"])
    for thread in left["threads"]:
        with suppress(NotFoundError):  # the server forgot it
            await client.threads.delete(thread["thread_id"])
        await thread_owner.delete_owned(thread["thread_id"], name)
    for assistant in left["assistants"]:
        with suppress(NotFoundError):
            await client.assistants.delete(assistant["assistant_id"])
    for item in left["items"]:
        await client.store.delete_item(item["namespace"], key=item["key"])
    return JSONResponse({"name": name, "deleted": {kind: len(left[kind]) for kind in KINDS}})


ROUTES = [
    Route("/revoked", owners, methods=["GET"]),
    Route("/revoked/{name}", listing, methods=["GET"]),
    Route("/revoked/{name}", removal, methods=["DELETE"]),
]


async def _admitted(request: Request) -> Mapping[str, Any]:
    """Return the holders of keys. Raises HTTPException 403 unless the requester is an administrator."""
    holders = await asyncio.to_thread(credentials().holders) or {}
    holder = holders.get(request.user.identity)
    if holder is None or not holder.admin:
        raise HTTPException(403, "This requires an administrator's key: backtrail keys add NAME --admin")
    return holders


async def _revoked_name(request: Request) -> str:
    """Return the name in the path. Raises HTTPException: no administrator, or no revoked holder."""
    holders, name = await _admitted(request), str(request.path_params["name"])
    if not NAME.fullmatch(name):
        raise HTTPException(404, "This is not a valid name of a key.")
    if name in holders:
        raise HTTPException(409, f"{name} has a key; only its holder may list or delete this data.")
    return name


async def _left_by(name: str) -> Left:
    owned: Any = {OWNER: name}
    left: Left = {kind: [] for kind in KINDS}
    for kind, shown in _SHOWN.items():
        async for one in every(_search(kind), metadata=owned):
            left[kind].append({key: one.get(key) for key in shown})
    known = {thread["thread_id"] for thread in left["threads"]}
    # threads that the server forgot when it was killed still have checkpoints
    forgotten = await thread_owner.owned_threads(name)
    left["threads"] += [{"thread_id": thread, "status": "forgotten"} for thread in forgotten if thread not in known]
    left["items"] = await _items(name)
    return left


def _search(kind: str) -> Any:
    client = within()
    return {
        "threads": client.threads.search,
        "crons": client.crons.search,
        "assistants": client.assistants.search,
    }[kind]


async def _first_labels() -> list[str]:
    found = await within().store.list_namespaces(max_depth=1, limit=10_000)
    return [namespace[0] for namespace in found["namespaces"]]


async def _items(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while page := (await within().store.search_items([name], limit=100, offset=len(found)))["items"]:
        found += [{"namespace": item["namespace"], "key": item["key"]} for item in page]
    return found
