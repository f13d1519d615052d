"""Whether all that pages may ask of their folder and its sites is as it was, without asking it again.

Two digests tell. The *listing* has the name, size and time of change of every file: while it is the same, nothing has
to be read. The *contents* have what answers are made of: names, configurations, the heads and labels of pages, their
addresses, and the pages that are compared to find what a site repeats. They stay as they are where only texts changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from hashlib import blake2b

from backtrail.ingest.parse_cache.file_state import UNSURE, state_of
from backtrail.ingest.sites.served_site import ServedSite
from backtrail.ingest.sites.site_map import SiteMap


def listing_of(folder: SiteMap) -> str:
    """The digest of the listing; "" where a file changed so shortly ago that it may change again unseen."""
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
        digest.update(repr(folder.told()).encode(errors="surrogatepass"))
    return digest.hexdigest()


def contents_of(folder: SiteMap) -> str:
    """The digest of the contents."""
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
    for pages in folder.saved.samples():
        yield [(page, state_of(folder.documents[page]).digest) for page in pages]
    if isinstance(folder, ServedSite):
        yield folder.told()
