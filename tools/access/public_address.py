"""The public address of this server, with which links in messages begin.

``BACKTRAIL_PUBLIC_URL`` takes precedence. Without it, it is the address that the client requested, which the server
stores in the run's metadata; runs without a server have none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from backtrail.tools.errors import SettingsError

VARIABLE = "BACKTRAIL_PUBLIC_URL"
REQUEST_ADDRESS = "backtrail_address"
"""Key of a run's metadata."""

TEMPORARY = "backtrail_temporary"
"""Key of the metadata of a run whose thread is removed when it ends: no page will show it."""

_NETLOC = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


def public_address(metadata: Mapping[str, Any]) -> str:
    """The address without a trailing slash; empty where there is none.

    Args:
        metadata: metadata of the run.

    Raises:
        SettingsError: the variable is not an address.
    """
    configured = os.environ.get(VARIABLE, "").strip().rstrip("/")
    if configured:
        parts = urlsplit(configured)
        if parts.scheme not in ("http", "https") or not _NETLOC.fullmatch(parts.netloc) or parts.query:
            raise SettingsError(f"{VARIABLE}={configured!r} is not an address. Write it like https://backtrail.example")
        return configured
    noted = metadata.get(REQUEST_ADDRESS)
    return noted if isinstance(noted, str) and request_address(*noted.partition("://")[::2]) == noted else ""


def request_address(scheme: str, host: str) -> str:
    """The address of a request by its scheme and ``Host``; empty where that is not a server name."""
    return f"{scheme}://{host}" if scheme in ("http", "https") and _NETLOC.fullmatch(host) else ""
