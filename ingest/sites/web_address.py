"""Canonical addresses of saved pages, and keys that are equal for addresses of one page."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote, urlsplit

HEAD_CHARACTERS = 256 * 1024
"""Characters of a page that are searched; heads with styles reach a hundred thousand."""

_LINK = re.compile(r"<link\b([^<>]{1,2000})>", re.I)
_CANONICAL = re.compile(r"\brel\s*=\s*[\"']?\s*canonical\b", re.I)
_HREF = re.compile(r"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.I)
_BODY = re.compile(r"<body\b|</head\b", re.I)
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php)$", re.I)


def canonical_address(markup: str) -> str:
    """Return the address of ``<link rel="canonical">``; "" if there is no http(s) address."""
    end = _BODY.search(markup, 0, HEAD_CHARACTERS)
    for link in _LINK.finditer(markup, 0, end.start() if end else HEAD_CHARACTERS):
        if _CANONICAL.search(link[1]):
            href = _HREF.search(link[1])
            address = html.unescape(next(filter(None, href.groups()), "")).strip() if href else ""
            return address.partition("#")[0] if re.match(r"https?://[^/\s]", address, re.I) else ""
    return ""


def address_key(url: str) -> str:
    """Return an address without scheme, ``www.``, final slash, ``index.html`` and fragment; "" if invalid."""
    try:
        split = urlsplit(url)
    except ValueError:
        return ""
    host = split.netloc.lower().removeprefix("www.")
    path = unquote(_INDEX.sub("", split.path), errors="replace").rstrip("/")
    return f"{host}{path}{f'?{split.query}' if split.query else ''}" if host else ""
