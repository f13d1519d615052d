"""Accept keys by HTTP Basic authentication on pages for browsers.

Who signed in to the page has the key in a cookie; to what is only read, HTTP's "Basic" lets in as well.
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
"""The page for people, and all below it."""

PAGES = ("/trace/", "/blobs/", UI)

COOKIE = "backtrail-key"
"""No script and no other site can read or send it; the key in it is looked at anew with every request."""


def is_of_the_page(path: str) -> bool:
    """Whether a path is that of the page for people, or below it."""
    return path == UI or path.startswith(f"{UI}/")


def for_people(scope: Scope) -> bool:
    """Whether a browser asks for a page, and not a program for an answer."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def with_bearer(scope: Scope, path: str) -> Scope:
    """A request for a page, with the key where other requests have it."""
    if scope["type"] != "http":
        return scope
    headers, reads = dict(scope["headers"]), scope["method"] in ("GET", "HEAD")
    scheme, _, value = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if scheme and scheme.lower() != "basic":
        return scope
    key = _in_basic(value) if scheme and reads else ""
    # forms of the page prove where they come from; nothing else is changed by what a browser sends by itself
    if not scheme and (reads or is_of_the_page(path)):
        key = _in_cookie(headers.get(b"cookie", b""))
    if not key and not scheme:
        return scope
    rest = [(name, held) for name, held in scope["headers"] if name != b"authorization"]
    return {**scope, "headers": [*rest, (b"authorization", b"Bearer " + key.encode())]}


def _in_basic(value: str) -> str:
    try:
        return base64.b64decode(value.strip(), validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _in_cookie(sent: bytes) -> str:
    try:
        held = SimpleCookie(sent.decode("latin-1")).get(COOKIE)
    except CookieError:
        return ""
    return held.value if held else ""


def asking(send: Send) -> Send:
    """Add to a refusal for want of a key what makes a browser ask for name and key."""

    async def asked(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 401:
            MutableHeaders(scope=message)["WWW-Authenticate"] = 'Basic realm="backtrail"'
        await send(message)

    return asked
