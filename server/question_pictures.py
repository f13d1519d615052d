"""Pictures that come with questions: within a run's messages, or stored before by ``POST /pictures``.

    POST /pictures     the file as the body; answers {"picture": SHA256, "mime_type": …, "width": …, "height": …}

Each belongs to who sent it: others neither see it nor ask about it, and are told that there is none. What a search
found on the web is nobody's, and is shown to everyone with a key, as pictures of corpora are.
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
from backtrail.tools.access.public_address import ASKED_AT, public_address
from backtrail.tools.question_pictures.keep import KeptPicture, keep_picture
from backtrail.tools.question_pictures.owners import is_owned, is_owner
from backtrail.tools.question_pictures.receive import holds_pictures, with_kept_pictures

PICTURES = "/pictures"
"""Takes the bytes of a picture, where other routes take JSON."""

_UNPROCESSABLE, _CREATED = 422, 201


def keep_pictures(run: Mapping[str, Any], owner: str | None = None) -> None:
    """Keep the pictures of a run that is to be made; in its input stay references. Blocks.

    Args:
        owner: who asks; None where nobody is kept apart.

    Raises:
        InputRefused: a picture that cannot be used, is not held or is somebody else's.
    """
    begun = run.get("kwargs")
    asked = begun.get("input") if begun else None
    if begun and isinstance(asked, Mapping) and (asked.get("image") or holds_pictures(asked)):
        address = public_address({ASKED_AT: noticed_address()})
        most = allowed_to(owner or "").most.picture
        begun["input"] = with_kept_pictures(asked, owner=owner, server=address, most=most)


async def may_see(request: Request, sha256: str) -> bool:
    """Whether a picture that is of no corpus may be shown to whoever asks for it."""
    name = request.user.identity  # nobody's, while the server is open
    return not name or await run_in_threadpool(_may_see, sha256, name)


def _may_see(sha256: str, name: str) -> bool:
    return is_owner(sha256, name) or not is_owned(sha256)


def _keep(content: bytes, owner: str | None) -> KeptPicture:
    return keep_picture(content, owner, allowed_to(owner or "").most.picture)


async def upload(request: Request) -> Response:
    """Store a picture, to ask about it by its sha256."""
    content = await request.body()  # bounded by the gate
    owner = request.user.identity or None
    try:
        if not content:
            raise InputRefused("There is no picture. Send the file as the body of the request.")
        kept = await run_in_threadpool(_keep, content, owner)
    except InputRefused as error:
        return JSONResponse({"detail": str(error)}, _UNPROCESSABLE)
    told = {"picture": kept.sha256, "mime_type": kept.mime, "width": kept.width, "height": kept.height}
    return JSONResponse(told, _CREATED)


ROUTES = [Route(PICTURES, upload, methods=["POST"])]
