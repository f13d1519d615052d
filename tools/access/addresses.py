"""Addresses that the host lists in a variable of the environment, and whether another one lies below them."""

from __future__ import annotations

import os
from urllib.parse import urlsplit


def listed(variable: str) -> list[str]:
    """The entries of a variable that holds several, comma-separated."""
    return [entry.strip() for entry in os.environ.get(variable, "").split(",") if entry.strip()]


def within(url: str, allowed: str) -> bool:
    """Whether an address is another one or lies below it: same scheme, host and port, and a path that begins alike."""
    if not url.isprintable() or " " in url or "\\" in url or "/.." in url:
        return False  # readers of addresses do not agree on these
    try:
        found, wanted = urlsplit(url), urlsplit(allowed)
    except ValueError:
        return False
    root = wanted.path.rstrip("/")
    same = (found.scheme, found.netloc.lower()) == (wanted.scheme.lower(), wanted.netloc.lower())
    return same and (found.path == root or found.path.startswith(f"{root}/"))
