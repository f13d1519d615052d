"""Pictures of questions: within a run's messages, or uploaded before by ``POST /pictures``.

    POST /pictures     the file as the body; returns {"picture": SHA256, "mime_type": …, "width": …, "height": …}

Each belongs to its sender: for others it does not exist. Pictures of web searches have no owner and are shown to
everyone with a key, as pictures of corpora are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from backtrail.server.public_address import noticed_address
from backtrail.state.errors import InputRefused
from backtrail.tools.access.credentials import allowed_to
from backtrail.tools.access.public_address import REQUEST_ADDRESS, public_address
from backtrail.tools.question_pictures.keep import StoredPicture, store_checked_picture
from backtrail.tools.question_pictures.owners import is_owned, is_owner
from backtrail.tools.question_pictures.receive import has_new_pictures, with_stored_pictures

PICTURES = "/pictures"
"""Route that takes the bytes of a picture instead of JSON."""

_UNPROCESSABLE, _CREATED = 422, 201


def keep_pictures(run: Mapping[str, Any], owner: str | None = None) -> None:
    """Store the pictures of a new run and replace them by references in its input. Blocking.

    Args:
        owner: requester; None on a server without keys.

    Raises:
        InputRefused: a picture is invalid, missing or somebody else's.
    """
    kwargs = run.get("kwargs")
    sent_input = kwargs.get("input") if kwargs else None
    if kwargs and isinstance(sent_input, Mapping) and (sent_input.get("image") or has_new_pictures(sent_input)):
        address = public_address({REQUEST_ADDRESS: noticed_address()})
        most = allowed_to(owner or "").most.picture
        kwargs["input"] = with_stored_pictures(sent_input, owner=owner, server=address, most=most)


async def may_see(request: Request, sha256: str) -> bool:
    """Return whether a picture of a question may be shown to the requester."""
    name = request.user.identity  # empty while the server is open
    return not name or await run_in_threadpool(_may_see, sha256, name)


def _may_see(sha256: str, name: str) -> bool:
    return is_owner(sha256, name) or not is_owned(sha256)


def _keep(content: bytes, owner: str | None) -> StoredPicture:
    return store_checked_picture(content, owner, allowed_to(owner or "").most.picture)


async def upload(request: Request) -> Response:
    """Store a picture for questions, which refer to it by its sha256."""
    content = await request.body()  # bounded by the middleware
    owner = request.user.identity or None
    try:
        if not content:
            raise InputRefused("There is no picture. Send the file as the body of the request.")
        kept = await run_in_threadpool(_keep, content, owner)
    except InputRefused as error:
        return JSONResponse({"detail": str(error)}, _UNPROCESSABLE)
    described = {"picture": kept.sha256, "mime_type": kept.mime, "width": kept.width, "height": kept.height}
    return JSONResponse(described, _CREATED)


ROUTES = [Route(PICTURES, upload, methods=["POST"])]
