"""Digests that show whether a folder's answers to the questions of its pages are unchanged.

The *listing* covers name, size and modification time of every file: while it is equal, no file is read. The *contents*
cover names, configurations, heads, labels and addresses of pages. They stay equal where only texts change.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from hashlib import blake2b

from backtrail.ingest.parse_cache.file_state import UNSURE
from backtrail.ingest.sites.served_site import ServedSite
from backtrail.ingest.sites.site_map import SiteMap


def listing_of(folder: SiteMap) -> str:
    """Return the digest of the listing; "" if a file is so new that another change might keep its time."""
    digest, now = blake2b(digest_size=16), time.time_ns()
    for path in (*folder.documents.values(), *folder.files.values()):
        try:
            found = os.stat(path)
        except OSError:
            digest.update(f"{path} is none\n".encode(errors="surrogatepass"))
            continue
        if now - found.st_mtime_ns <= UNSURE:
            return ""
        digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode(errors="surrogatepass"))
    if isinstance(folder, ServedSite):
        digest.update(repr(folder.fields()).encode(errors="surrogatepass"))
    return digest.hexdigest()


def contents_of(folder: SiteMap) -> str:
    """Return the digest of the contents."""
    digest = blake2b(digest_size=16)
    for part in _contents(folder):
        digest.update(f"{part!r}\n".encode(errors="surrogatepass"))
    return digest.hexdigest()


def _contents(folder: SiteMap) -> Iterator[object]:
    yield list(folder.documents)
    yield list(folder.files)
    yield from folder.sites
    yield from folder.heads.items()
    yield folder.labels
    yield from folder.saved.keys.items()
    if isinstance(folder, ServedSite):
        yield folder.fields()
