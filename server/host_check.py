"""Refuse requests from other machines or sites while the server has no keys.

``langgraph dev`` listens on ``--host`` and accepts requests of every web page (CORS). A server without keys therefore
checks the peer's address, the Host header (against DNS rebinding) and the Origin of a browser's page.
``BACKTRAIL_OPEN=yes`` accepts everybody.
"""

from __future__ import annotations

import ipaddress
import os
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from backtrail.tools.access.serving import OPEN, ORIGINS, opened

if TYPE_CHECKING:
    from starlette.types import Scope

_STUDIO = re.compile(r"https://(?:\w+\.)?smith\.langchain\.com")


def refusal(scope: Scope) -> str:
    """Return why a server without keys refuses a request; empty if it is accepted.

    Raises:
        SettingsError: BACKTRAIL_OPEN is neither yes nor no.
    """
    whom = "" if opened() else foreign_host(scope)
    return _sentence(whom) if whom else ""


def foreign_host(scope: Scope) -> str:
    """Return whom a local server answers, if a request comes from elsewhere; else an empty string."""
    headers, peer = Headers(scope=scope), scope.get("client")
    if peer and not _is_loopback(peer[0]):
        return "its own machine"
    if (host := headers.get("host")) and not _is_loopback(_host_of(f"//{host}")):
        return "requests to localhost"
    if (origin := headers.get("origin")) and not _is_trusted(origin):
        return f"pages of its own machine, of LangSmith Studio and of {ORIGINS}"
    return ""


def _sentence(whom: str) -> str:
    return (
        f"This server has no keys and answers only {whom}. Its host can add keys (backtrail keys add NAME) "
        f"or open it to everybody with {OPEN}=yes."
    )


def _is_trusted(origin: str) -> bool:
    listed = [one.strip().rstrip("/") for one in os.environ.get(ORIGINS, "").split(",")]
    return origin in listed or bool(_STUDIO.fullmatch(origin)) or _is_loopback(_host_of(origin))


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
