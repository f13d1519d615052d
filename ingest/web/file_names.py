"""File names for addresses: readable, short, and always inside the mirror's folder."""

from __future__ import annotations

import hashlib
import posixpath
import re
from urllib.parse import unquote, urlsplit

from backtrail.ingest.web.media_types import ending_of
from backtrail.tools.web.crawling.address import host_key

_LONGEST_PART = 80
_LONGEST = 240
_ODD = re.compile(r"[^\w.\-+,()=@~ ]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.I)


def file_name(address: str, extension: str) -> str:
    """Return the file name for an address, relative to the mirror: ``example.org/docs/page.html``.

    Args:
        address: in its normal form.
        extension: extension of the file.
    """
    split = urlsplit(address)
    *folders, last = split.path.lstrip("/").split("/")
    if ending_of(address) == extension:
        last = last[: -len(extension)]
    last = last or "index"
    if split.query:
        last = f"{last}@{split.query}"
    parts = [host_name(address), *map(_part, filter(None, folders)), f"{_part(last)}{extension}"]
    name = posixpath.join(*parts)
    return name if len(name) <= _LONGEST else hashed_name(address, extension)


def hashed_name(address: str, extension: str) -> str:
    """Return a hashed name for an address whose readable name is too long or taken."""
    digest = hashlib.sha256(address.encode()).hexdigest()[:20]
    return posixpath.join(host_name(address), "pages", f"{digest}{extension}")


def host_name(address: str) -> str:
    """Return host and port as a folder name."""
    return re.sub(r"[^a-z0-9.\-]", "_", host_key(address)).strip(".")[:100] or "site"


def _part(written: str) -> str:
    part = _ODD.sub("_", unquote(written, errors="replace")).strip(" .")
    if len(part.encode()) > _LONGEST_PART:
        digest = hashlib.sha256(written.encode()).hexdigest()[:8]
        part = f"{part.encode()[: _LONGEST_PART - 9].decode('utf-8', 'ignore')}-{digest}"
    return f"_{part}" if not part or part[0] in ".~-" or _RESERVED.match(part) else part
