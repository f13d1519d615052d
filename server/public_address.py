"""Record the public address of each request, for links in its run's messages.

An address in the client's own metadata is ignored, as is an invalid one; ``BACKTRAIL_PUBLIC_URL`` overrides both
(``tools/access/public_address.py``).
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from backtrail.tools.access.public_address import REQUEST_ADDRESS, request_address

if TYPE_CHECKING:
    from starlette.types import Scope

_address: ContextVar[str] = ContextVar("address", default="")


def notice_address(scope: Scope) -> None:
    """Record the address of the current request."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    scheme = str(scope["scheme"])
    scheme = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    _address.set(request_address(scheme, host.decode("latin-1")))


def noticed_address() -> str:
    """Return the address of the current request; empty outside requests."""
    return _address.get()


def note_address(run: dict[str, Any]) -> None:
    """Write the address into the metadata of a new run or its config, which the server stores."""
    metadata = run.get("metadata")
    if metadata is None:
        metadata = run["metadata"] = {}
    metadata.pop(REQUEST_ADDRESS, None)
    if address := noticed_address():
        metadata[REQUEST_ADDRESS] = address
