"""Where people reach this server: what links in messages begin with.

The host's word (``BACKTRAIL_PUBLIC_URL``) goes first. Without it a run's messages lead to the address that its client
asked at, which the server notes among the run's metadata; runs that nobody asked a server for have none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from backtrail.tools.errors import SettingsError

VARIABLE = "BACKTRAIL_PUBLIC_URL"
ASKED_AT = "backtrail_address"
"""Key of a run's metadata."""

TEMPORARY = "backtrail_temporary"
"""Key of the metadata of a run whose thread is removed as it ends: there will be no page that shows it."""

_NETLOC = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


def public_address(metadata: Mapping[str, Any]) -> str:
    """The address without a slash at its end; empty where there is none.

    Args:
        metadata: of the run.

    Raises:
        SettingsError: the variable holds no address.
    """
    stated = os.environ.get(VARIABLE, "").strip().rstrip("/")
    if stated:
        parts = urlsplit(stated)
        if parts.scheme not in ("http", "https") or not _NETLOC.fullmatch(parts.netloc) or parts.query:
            raise SettingsError(f"{VARIABLE}={stated!r} is no address. An example of one: https://backtrail.example")
        return stated
    noted = metadata.get(ASKED_AT)
    return noted if isinstance(noted, str) and asked_at(*noted.partition("://")[::2]) == noted else ""


def asked_at(scheme: str, host: str) -> str:
    """The address that a request was sent to, by its scheme and ``Host``; empty where that is no name of a server."""
    return f"{scheme}://{host}" if scheme in ("http", "https") and _NETLOC.fullmatch(host) else ""
