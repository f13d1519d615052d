"""Accept keys by HTTP Basic authentication on pages for browsers.

After sign-in the page's cookie has the key; HTTP Basic is accepted for reading as well.
"""

from __future__ import annotations

import base64
import binascii
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders

if TYPE_CHECKING:
    from starlette.types import Message, Scope, Send

UI = "/ui"
"""Prefix of the page."""

PAGES = ("/trace/", "/blobs/", UI)

COOKIE = "backtrail-key"
"""Cookie with the key. No script or other site can read or send it; the key is checked on every request."""


def is_of_the_page(path: str) -> bool:
    """Return whether a path belongs to the page."""
    return path == UI or path.startswith(f"{UI}/")


def for_people(scope: Scope) -> bool:
    """Return whether a browser requests a page, as opposed to a program."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def with_bearer(scope: Scope, path: str) -> Scope:
    """Return a page's request with its key moved from Basic or cookie to the Bearer header."""
    if scope["type"] != "http":
        return scope
    headers, reads = dict(scope["headers"]), scope["method"] in ("GET", "HEAD")
    scheme, _, value = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if scheme and scheme.lower() != "basic":
        return scope
    key = _in_basic(value) if scheme and reads else ""
    # a cookie, which a browser sends by itself, may change things only through the page's signed forms
    if not scheme and (reads or is_of_the_page(path)):
        key = _in_cookie(headers.get(b"cookie", b""))
    if not key and not scheme:
        return scope
    rest = [(name, content) for name, content in scope["headers"] if name != b"authorization"]
    return {**scope, "headers": [*rest, (b"authorization", b"Bearer " + key.encode())]}


def _in_basic(value: str) -> str:
    try:
        return base64.b64decode(value.strip(), validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _in_cookie(sent: bytes) -> str:
    try:
        cookie = SimpleCookie(sent.decode("latin-1")).get(COOKIE)
    except CookieError:
        return ""
    return cookie.value if cookie else ""


def asking(send: Send) -> Send:
    """Add the header to a 401 response that makes a browser prompt for name and key."""

    async def asked(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 401:
            MutableHeaders(scope=message)["WWW-Authenticate"] = 'Basic realm="backtrail"'
        await send(message)

    return asked
