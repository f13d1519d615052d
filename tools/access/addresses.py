"""Check URLs of clients: whether they are unambiguous, and whether the host lists them."""

from __future__ import annotations

import os
import re
from urllib.parse import SplitResult, urlsplit

# ASCII: international names are folded in several ways. No user, no empty port.
_AUTHORITY = re.compile(r"(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")
# . / \ ; % and control characters: a server or proxy that decodes them reads another path. Also malformed escapes.
_ESCAPE = re.compile(r"%(?:2[eEfF5]|5[cC]|3[bB]|[01][0-9A-Fa-f]|7[fF]|(?![0-9A-Fa-f]{2}))")
_PORTS = {"http": 80, "https": 443}


def listed(variable: str) -> list[str]:
    """The entries of a comma-separated environment variable."""
    return [entry.strip() for entry in os.environ.get(variable, "").split(",") if entry.strip()]


def unambiguous(url: str) -> SplitResult | None:
    """The parts of an http or https URL; None if clients, proxies and servers may read it differently.

    Refused are user names, fragments, backslashes, whitespace and control characters, dot segments, and percent-encoded
    characters that would be any of these once decoded.
    """
    if not url.isascii() or not url.isprintable() or any(one in url for one in " \\#"):
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises on a port out of range
    except ValueError:
        return None
    segments = [segment.partition(";")[0] for segment in parts.path.split("/")]  # some servers drop "..;x"
    if parts.scheme not in _PORTS or not _AUTHORITY.fullmatch(parts.netloc) or _ESCAPE.search(parts.path):
        return None
    return None if "." in segments or ".." in segments else parts


def within(url: str, allowed: str) -> bool:
    """Whether a URL is or lies below another: same scheme, host and port, and first path segments."""
    found, wanted = unambiguous(url), unambiguous(allowed)
    if found is None or wanted is None:
        return False
    root = wanted.path.rstrip("/")
    return _origin(found) == _origin(wanted) and (found.path == root or found.path.startswith(f"{root}/"))


def _origin(parts: SplitResult) -> tuple[str, str | None, int]:
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]
