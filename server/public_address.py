"""Record the public address of each request, for links in its run's messages.

What a client wrote into the run's metadata itself does not count, nor does what is no address of a server; where the
host has set ``BACKTRAIL_PUBLIC_URL``, that is used instead (``tools/access/public_address.py``).
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from backtrail.tools.access.public_address import ASKED_AT, asked_at

if TYPE_CHECKING:
    from starlette.types import Scope

_address: ContextVar[str] = ContextVar("address", default="")


def notice_address(scope: Scope) -> None:
    """Remember the address of a request until it is answered."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    scheme = str(scope["scheme"])
    scheme = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    _address.set(asked_at(scheme, host.decode("latin-1")))


def noticed_address() -> str:
    """The address of the request that is being answered; empty for work that nobody asked for just now."""
    return _address.get()


def note_address(run: dict[str, Any]) -> None:
    """Write it into the metadata of a run that is to be made, or of its config; the server keeps what it showed us."""
    metadata = run.get("metadata")
    if metadata is None:
        metadata = run["metadata"] = {}
    metadata.pop(ASKED_AT, None)
    if address := noticed_address():
        metadata[ASKED_AT] = address
